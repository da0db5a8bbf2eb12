use super::span::Span;

/// Encodes spans of a service as `ExportTraceServiceRequest` of OTLP 1, in Protocol Buffers. The numbers are those of its
/// fields.
pub(super) fn export_request(service: &str, version: &str, spans: &[Span]) -> Vec<u8> {
    let resource = Message::default()
        .message(1, &attribute("service.name", &text(service)))
        .message(1, &attribute("service.version", &text(version)));
    let scope = Message::default().bytes(1, b"sports-api");
    let scope_spans = spans.iter().fold(Message::default().message(1, &scope), |all, one| all.message(2, &span(one)));
    let resource_spans = Message::default().message(1, &resource).message(2, &scope_spans);
    Message::default().message(1, &resource_spans).0
}

fn span(span: &Span) -> Message {
    const SERVER: u64 = 2;
    const ERROR: u64 = 2;
    let Span { context, caller, method, route, status, sport, request_id, begin, end } = span;
    let mut message = Message::default().bytes(1, &context.trace.0).bytes(2, &context.parent.0);
    if let Some(state) = &context.state {
        message = message.bytes(3, state.as_bytes());
    }
    if let Some(parent) = caller {
        message = message.bytes(4, &parent.0);
    }
    message = message
        .bytes(5, format!("{method} {route}").as_bytes())
        .number(6, SERVER)
        .fixed64(7, *begin)
        .fixed64(8, *end)
        .message(9, &attribute("http.request.method", &text(method)))
        .message(9, &attribute("http.route", &text(route)))
        .message(9, &attribute("http.response.status_code", &Message::default().number(3, u64::from(*status))))
        .message(9, &attribute("request_id", &text(request_id)));
    if let Some(sport) = sport {
        message = message.message(9, &attribute("sport", &text(sport.code())));
    }
    if *status >= 500 { message.message(15, &Message::default().number(3, ERROR)) } else { message }
}

fn attribute(key: &str, value: &Message) -> Message {
    Message::default().bytes(1, key.as_bytes()).message(2, value)
}

fn text(value: &str) -> Message {
    Message::default().bytes(1, value.as_bytes())
}

/// A message of Protocol Buffers, field by field.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    const VARINT: u64 = 0;
    const FIXED_64: u64 = 1;
    const BYTES: u64 = 2;

    fn varint(&mut self, mut number: u64) {
        while let high @ 1.. = number >> 7 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number = high;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3 | Self::VARINT);
        self.varint(number);
        self
    }

    fn fixed64(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3 | Self::FIXED_64);
        self.0.extend(number.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | Self::BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }
}
