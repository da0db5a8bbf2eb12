use chrono::DateTime;
use sea_orm::entity::prelude::*;
use sports_accounts::{CustomerId, Download, RefreshAllowance};
use sports_ports::datasets::{Refreshed, SignedLink};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "refresh_answers")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    /// The customer's key; empty for the last refresh without one.
    #[sea_orm(primary_key, auto_increment = false)]
    pub idempotency_key: String,
    pub at: ChronoDateTimeUtc,
    /// The month, the number of refreshes taken in it, and the links; nothing until the refresh is made.
    pub answer: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Returns an answer as text: the allowance, then a line for each link. No field has a tab or a line break.
pub fn to_text(Refreshed { allowance, links }: &Refreshed) -> String {
    let link = |(download, link): &(Download, SignedLink)| {
        let (place, address) = match link {
            SignedLink::Here(path) => ("here", path),
            SignedLink::Elsewhere(url) => ("elsewhere", url),
        };
        let Download { product, sport, object, bytes, file_name, expires_at, .. } = download;
        let end = expires_at.timestamp();
        format!("{product}\t{}\t{object}\t{bytes}\t{file_name}\t{end}\t{place}\t{address}", sport.code())
    };
    let first = format!("{}\t{}", allowance.month, allowance.used);
    [first].into_iter().chain(links.iter().map(link)).collect::<Vec<_>>().join("\n")
}

/// Parses an answer of a customer.
pub fn from_text(customer: CustomerId, text: &str) -> Result<Refreshed, Unreadable> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (month, used) = first.split_once('\t').ok_or("the answer has no allowance")?;
    let link = |line: &str| -> Result<(Download, SignedLink), Unreadable> {
        let fields: Vec<_> = line.split('\t').collect();
        let [product, sport, object, bytes, file_name, end, place, address] = fields[..] else {
            return Err("a link has another number of fields".into());
        };
        let download = Download {
            customer,
            product: product.parse()?,
            sport: sport.parse()?,
            object: object.parse()?,
            bytes: bytes.parse()?,
            file_name: file_name.parse()?,
            expires_at: DateTime::from_timestamp(end.parse()?, 0).ok_or("a link has no end")?,
        };
        let link = if place == "here" { SignedLink::Here } else { SignedLink::Elsewhere };
        Ok((download, link(address.to_owned())))
    };
    let links = rest.lines().map(link).collect::<Result<_, _>>()?;
    Ok(Refreshed { allowance: RefreshAllowance { used: used.parse()?, month: month.parse()? }, links })
}
