"""A transport that waits for the time of `Retry-After` and repeats the request."""

import time

import httpx


class Patient(httpx.HTTPTransport):
    """Asks again after 429, once the time is over that the answer names."""

    waits = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        while True:
            response = super().handle_request(request)
            if response.status_code != 429:
                return response
            seconds = int(response.headers["Retry-After"])
            response.close()
            assert seconds >= 1, "429 says when to ask again"
            self.waits += 1
            time.sleep(seconds)
