"""Token buckets."""

from collie.daemon.bucket import Buckets, Take


def build() -> Buckets:
    return Buckets(rate=1, burst=5)


def test_a_burst_is_allowed_and_then_one_a_second() -> None:
    buckets = build()

    taken = [buckets.take("phone", 10.0).allowed for _ in range(6)]
    later = [buckets.take("phone", 11.0).allowed for _ in range(2)]

    assert taken == [True] * 5 + [False]
    assert later == [True, False]


def test_only_the_first_refusal_of_a_run_is_to_be_audited() -> None:
    buckets = build()
    for _ in range(5):
        buckets.take("phone", 10.0)

    assert [buckets.take("phone", 10.5) for _ in range(2)] == [
        Take(allowed=False, is_first_refusal=True),
        Take(allowed=False),
    ]
    assert buckets.take("phone", 12.0) == Take(allowed=True)


def test_each_key_has_a_bucket_of_its_own_and_full_ones_are_forgotten() -> None:
    buckets = build()
    for _ in range(5):
        buckets.take("phone", 10.0)

    assert buckets.take("desk", 10.0).allowed
    assert buckets.take("other", 100.0).allowed
    assert list(buckets._buckets) == ["other"]
