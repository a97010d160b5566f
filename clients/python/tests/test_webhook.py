import base64
import unittest
from typing import Mapping, Optional

from elastic_client import WebhookVerificationError, sign_webhook, verify_webhook

SECRET = "whsec_" + base64.b64encode(bytes([7] * 32)).decode()
OTHER = "whsec_" + base64.b64encode(bytes([8] * 32)).decode()
NOW = 1_800_000_000.0
BODY = '{"type":"webhook.test","timestamp":"2027-01-15T08:00:00.000Z","data":{"service_id":"é"}}'
SENT = sign_webhook(BODY, id="d1", timestamp=NOW, secret=SECRET)


def reason_of(
    body: str, headers: Mapping[str, str], secret: str = SECRET, now: float = NOW
) -> Optional[str]:
    try:
        verify_webhook(body, headers, secret, now=now)
        return None
    except WebhookVerificationError as error:
        return error.reason


class Verification(unittest.TestCase):
    def test_what_is_signed_is_the_event_as_text_and_as_bytes(self) -> None:
        for body in (BODY, BODY.encode()):
            event = verify_webhook(body, {name.title(): value for name, value in SENT.items()}, SECRET, now=NOW)
            self.assertEqual((event.id, event.type, event.data), ("d1", "webhook.test", {"service_id": "é"}))

    def test_while_secrets_are_rotated_either_of_two_accepts_it(self) -> None:
        other = sign_webhook(BODY, id="d1", timestamp=NOW, secret=OTHER)["webhook-signature"]
        both = {**SENT, "webhook-signature": f"{other} {SENT['webhook-signature']}"}
        self.assertIsNone(reason_of(BODY, both))
        self.assertIsNone(reason_of(BODY, both, OTHER))
        self.assertEqual(verify_webhook(BODY, SENT, [OTHER, SECRET], now=NOW).id, "d1")

    def test_what_is_not_signed_by_the_secret_is_rejected(self) -> None:
        self.assertEqual(reason_of(BODY + " ", SENT), "signature_invalid")
        self.assertEqual(reason_of(BODY, SENT, OTHER), "signature_invalid")
        self.assertEqual(reason_of(BODY, {**SENT, "webhook-id": "d2"}), "signature_invalid")
        for signature in ("v1,", "v1,é", "v1,\udc80", SENT["webhook-signature"][3:]):
            self.assertEqual(reason_of(BODY, {**SENT, "webhook-signature": signature}), "signature_invalid")
        self.assertIsNone(reason_of(BODY, {**SENT, "webhook-signature": "v1,\udc80 " + SENT["webhook-signature"]}))
        self.assertEqual(reason_of(BODY, {**SENT, "webhook-id": "\udc80"}), "signature_invalid")
        self.assertEqual(reason_of(BODY + "\udc80", SENT), "signature_invalid")

    def test_what_is_older_or_newer_than_five_minutes_is_rejected(self) -> None:
        self.assertIsNone(reason_of(BODY, SENT, now=NOW + 300))
        self.assertEqual(reason_of(BODY, SENT, now=NOW + 301), "timestamp_too_old")
        self.assertEqual(reason_of(BODY, SENT, now=NOW - 301), "timestamp_too_new")
        self.assertEqual(reason_of(BODY, {**SENT, "webhook-timestamp": "1e9"}), "timestamp_invalid")

    def test_missing_headers_other_bodies_and_malformed_secrets_are_named(self) -> None:
        for name in SENT:
            others = {key: value for key, value in SENT.items() if key != name}
            self.assertEqual(reason_of(BODY, others), "header_missing")
        for body in ("[1]", "{", "{}", '{"type":1,"timestamp":"t","data":{}}', "[" * 200_000):
            signed = sign_webhook(body, id="d", timestamp=NOW, secret=SECRET)
            self.assertEqual(reason_of(body, signed), "body_invalid")
        with self.assertRaises(ValueError):
            verify_webhook(BODY, SENT, "whsec_", now=NOW)

    def test_options_with_which_no_request_would_be_too_old_are_invalid_arguments(self) -> None:
        for tolerance in (float("nan"), -1.0):
            with self.assertRaisesRegex(ValueError, "tolerance"):
                verify_webhook(BODY, SENT, SECRET, now=NOW, tolerance=tolerance)
        for now in (float("nan"), float("-inf")):
            with self.assertRaisesRegex(ValueError, "now"):
                verify_webhook(BODY, SENT, SECRET, now=now)


if __name__ == "__main__":
    unittest.main()
