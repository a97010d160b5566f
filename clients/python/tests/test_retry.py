import unittest
from typing import Optional

from elastic_client import ConnectionFailedError, ProblemError, RetryPolicy, UnexpectedResponseError
from elastic_client._retry import retry_delay

CUT = ConnectionFailedError("unreachable", "cut")
NOW = 1_000_000_000.0


def problem(status: int, code: str = "", retry_after: Optional[str] = None) -> ProblemError:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return ProblemError(status, headers, {"code": code})


def delay(
    error: Exception,
    *,
    attempts: int = 1,
    repeatable: bool = True,
    random: float = 1.0,
    body_spent: bool = False,
) -> Optional[float]:
    return retry_delay(RetryPolicy(), error, attempts, repeatable, random, NOW, body_spent)


class Retries(unittest.TestCase):
    def test_pauses_double_up_to_a_bound_ten_times_in_all(self) -> None:
        pauses = [delay(CUT, attempts=attempts) for attempts in range(1, 11)]
        self.assertEqual(pauses, [0.25, 0.5, 1, 2, 4, 8, 8, 8, 8, None])
        self.assertEqual(delay(CUT, random=0), 0.125)

    def test_a_repeatable_request_is_repeated_after_what_passes(self) -> None:
        for status in (408, 429, 502, 503, 504):
            self.assertEqual(delay(problem(status)), 0.25)
        self.assertEqual(delay(problem(409, "idempotency_key_in_flight", "1")), 1)

    def test_what_never_helps_is_final(self) -> None:
        lasting = [problem(429, "quota_exceeded"), problem(503, "store_changed"), problem(502, "result_corrupt")]
        for error in [problem(400), problem(404), problem(500), UnexpectedResponseError(""), *lasting]:
            self.assertIsNone(delay(error))

    def test_the_service_is_waited_for_as_long_as_it_says_up_to_a_minute(self) -> None:
        self.assertEqual(delay(problem(503, "", "7")), 7)
        self.assertEqual(delay(problem(503, "", "Sun, 09 Sep 2001 01:46:49 GMT")), 9)
        self.assertEqual(delay(problem(503, "", "soon")), 0.25)
        self.assertIsNone(delay(problem(503, "", "61")))

    def test_a_request_that_may_have_had_an_effect_is_repeated_after_429_alone(self) -> None:
        self.assertEqual(delay(problem(429), repeatable=False), 0.25)
        for error in (CUT, problem(503)):
            self.assertIsNone(delay(error, repeatable=False))

    def test_a_request_whose_body_is_spent_is_final_after_every_error(self) -> None:
        for error in (CUT, problem(429, "", "1"), problem(503)):
            self.assertIsNone(delay(error, body_spent=True))


if __name__ == "__main__":
    unittest.main()
