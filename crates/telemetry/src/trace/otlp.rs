use serde_json::{Value, json};

use super::span::Span;

/// Encodes spans of a service as an `ExportTraceServiceRequest` of OTLP 1 in JSON: ids are hexadecimal, and integers of 64 bits
/// are texts.
pub(super) fn export_request(service: &str, version: &str, spans: &[Span]) -> String {
    let resource = [text("service.name", service), text("service.version", version)];
    let spans: Vec<_> = spans.iter().map(span).collect();
    let scope_spans = json!({ "scope": { "name": "sports-api" }, "spans": spans });
    json!({ "resourceSpans": [{ "resource": { "attributes": resource }, "scopeSpans": [scope_spans] }] }).to_string()
}

fn span(span: &Span) -> Value {
    const SERVER: u8 = 2;
    const ERROR: u8 = 2;
    let Span { context, caller, method, route, status, sport, request_id, begin, end } = span;
    let status_code = json!({ "key": "http.response.status_code", "value": { "intValue": status.to_string() } });
    let mut attributes = vec![
        text("http.request.method", method),
        text("http.route", route),
        status_code,
        text("request_id", request_id),
    ];
    attributes.extend(sport.map(|sport| text("sport", sport.code())));
    let mut encoded = json!({
        "traceId": hex::encode(context.trace.0),
        "spanId": hex::encode(context.parent.0),
        "name": format!("{method} {route}"),
        "kind": SERVER,
        "startTimeUnixNano": begin.to_string(),
        "endTimeUnixNano": end.to_string(),
        "attributes": attributes,
    });
    if let Some(state) = &context.state {
        encoded["traceState"] = json!(state);
    }
    if let Some(caller) = caller {
        encoded["parentSpanId"] = json!(hex::encode(caller.0));
    }
    if *status >= 500 {
        encoded["status"] = json!({ "code": ERROR });
    }
    encoded
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;
    use crate::trace::{SpanId, TraceContext, TraceId};

    fn a_span(status: u16) -> Span {
        let trace = TraceId([0x4b; 16]);
        let context = TraceContext { trace, parent: SpanId([0xe5; 8]), flags: 1, state: Some("vendor=1".to_owned()) };
        Span {
            context,
            caller: Some(SpanId([0x0f; 8])),
            method: "GET".to_owned(),
            route: "/api/v1/results/{sport}".to_owned(),
            status,
            sport: Some(Sport::Nfl),
            request_id: "abc".to_owned(),
            begin: 1_700_000_000_000_000_001,
            end: 1_700_000_000_500_000_002,
        }
    }

    fn encoded(span: Span) -> Value {
        let request: Value = serde_json::from_str(&export_request("a service", "1.2.3", &[span])).expect("JSON");
        let resource = &request["resourceSpans"][0];
        assert_eq!(
            resource["resource"]["attributes"],
            json!([text("service.name", "a service"), text("service.version", "1.2.3")])
        );
        assert_eq!(resource["scopeSpans"][0]["scope"]["name"], "sports-api");
        resource["scopeSpans"][0]["spans"][0].clone()
    }

    #[test]
    fn a_span_is_encoded_as_the_protocol_defines_it_for_json() {
        let expected = json!({
            "traceId": "4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b",
            "spanId": "e5e5e5e5e5e5e5e5",
            "parentSpanId": "0f0f0f0f0f0f0f0f",
            "traceState": "vendor=1",
            "name": "GET /api/v1/results/{sport}",
            "kind": 2,
            "startTimeUnixNano": "1700000000000000001",
            "endTimeUnixNano": "1700000000500000002",
            "attributes": [
                { "key": "http.request.method", "value": { "stringValue": "GET" } },
                { "key": "http.route", "value": { "stringValue": "/api/v1/results/{sport}" } },
                { "key": "http.response.status_code", "value": { "intValue": "404" } },
                { "key": "request_id", "value": { "stringValue": "abc" } },
                { "key": "sport", "value": { "stringValue": "nfl" } },
            ],
        });
        assert_eq!(encoded(a_span(404)), expected);
    }

    #[test]
    fn a_failure_of_the_server_has_the_status_error_and_a_first_span_has_no_parent() {
        let mut span = a_span(503);
        (span.caller, span.context.state) = (None, None);
        let encoded = encoded(span);
        assert_eq!(encoded["status"], json!({ "code": 2 }));
        assert_eq!((encoded.get("parentSpanId"), encoded.get("traceState")), (None, None));
    }
}
