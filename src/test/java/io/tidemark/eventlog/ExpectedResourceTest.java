package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.eventlog.ExpectedResource.Informer;
import io.tidemark.eventlog.ExpectedResource.Judgement;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExpectedResourceTest {

  static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  static final Instant OLDER_PAGE = START.plusSeconds(56);
  static final Instant NEWER_PAGE = START.plusSeconds(58);
  static final String INFORMANT = "/a";
  static final String OTHER = "/b";

  final ExpectedResource resource = new ExpectedResource();

  /** The informant shows the resource on its newer page, and repeats the value there. */
  @BeforeEach
  void known() {
    see(INFORMANT, "0", START, false);
    see(OTHER, "0", START, false);
    see(INFORMANT, "0", NEWER_PAGE, false);
  }

  @Test
  void newerThanTheOlderPageAlone_isRejected() {
    assertThat(see(OTHER, "21802", START.plusSeconds(60), false)).isEqualTo(Judgement.REJECTED);
  }

  @Test
  void newerThanTheOlderPageAlone_afterAFailedPoll_mayBeRecorded() {
    assertThat(see(OTHER, "21802", START.plusSeconds(60), true)).isEqualTo(Judgement.REJECTED_UNLESS_RECORDED);
    assertThat(resource.value("liquidity")).isEqualTo(Map.of("reserve_in_usd", "0"));
  }

  @Test
  void newerThanNoPage_afterAFailedPoll_isRejected() {
    assertThat(see(OTHER, "21802", START.plusSeconds(58), true)).isEqualTo(Judgement.REJECTED);
  }

  @Test
  void newerThanBothPages_isAccepted() {
    assertThat(see(OTHER, "21802", START.plusSeconds(61), true)).isEqualTo(Judgement.ACCEPTED);
    assertThat(resource.value("liquidity")).isEqualTo(Map.of("reserve_in_usd", "21802"));
  }

  private Judgement see(String target, String reserve, Instant asOf, boolean failedSince) {
    var informer = new Informer(NEWER_PAGE, failedSince ? OLDER_PAGE : NEWER_PAGE, NEWER_PAGE, failedSince);
    return resource.see("liquidity", new ObservedFacet(Map.of("reserve_in_usd", reserve), Set.of()), target, true, asOf,
        any -> any.equals(INFORMANT) ? informer : null);
  }
}
