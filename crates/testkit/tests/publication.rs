//! The fakes keep the contracts they stand in for.

use sports_testkit::publication::{CodecFake, StoreFake, contract};

#[tokio::test]
async fn the_store_fake_keeps_the_contracts() {
    contract::log(async || StoreFake::default()).await;
    contract::objects(&StoreFake::default()).await;
}

#[test]
fn the_codec_fake_keeps_the_contract() {
    contract::codec(&CodecFake::default());
}
