//! Tests that the fakes keep the contracts of the adapters they replace.

use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake, contract};

#[tokio::test]
async fn the_store_fake_keeps_the_contracts() {
    contract::log(async || StoreFake::default()).await;
    contract::objects(&StoreFake::default()).await;
    contract::record_files(&StoreFake::default()).await;
    contract::repairs(&StoreFake::default()).await;
}

#[test]
fn the_codec_fakes_keep_the_contracts() {
    contract::codec(&CodecFake::default());
    contract::slate_codec(&SlateCodecFake::default());
}
