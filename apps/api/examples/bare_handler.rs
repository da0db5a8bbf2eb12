//! The baseline of the benchmarks: a server that sends the bytes of one file for every path, and does nothing else.

use std::error::Error;
use std::fs;

use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpResponse, HttpServer};

const USAGE: &str = "bare-handler ADDRESS FILE [--workers N] [--header NAME:VALUE]...";

struct Answer {
    bytes: Bytes,
    headers: Vec<(HeaderName, HeaderValue)>,
}

async fn answer(answer: Data<Answer>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    for (name, value) in &answer.headers {
        response.insert_header((name.clone(), value.clone()));
    }
    response.body(answer.bytes.clone())
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (address, file) = (arguments.next().ok_or(USAGE)?, arguments.next().ok_or(USAGE)?);
    let (mut workers, mut headers) = (1, vec![(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match option.as_str() {
            "--workers" => workers = value.parse()?,
            "--header" => {
                let (name, value) = value.split_once(':').ok_or(USAGE)?;
                headers.push((name.parse()?, value.trim().parse()?));
            }
            _ => return Err(USAGE.into()),
        }
    }
    let given = Data::new(Answer { bytes: fs::read(file)?.into(), headers });
    let server = HttpServer::new(move || App::new().app_data(given.clone()).default_service(web::to(answer)));
    server.workers(workers).bind(address)?.run().await?;
    Ok(())
}
