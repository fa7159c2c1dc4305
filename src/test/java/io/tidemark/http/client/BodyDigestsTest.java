package io.tidemark.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tidemark.market.Query;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class BodyDigestsTest {
  private static final Query<?> GLOBAL = new Query.GlobalMarket();
  private static final Query<?> DAY = new Query.CoinHistory("bitcoin", LocalDate.of(2026, 11, 22), false);
  private static final byte[] BODY = "{\"data\":1}".getBytes(UTF_8);
  private static final byte[] OTHER = "{\"data\":2}".getBytes(UTF_8);

  @Test
  void bodyDiffersInItsLastBytes_hasItsOwnDigest() throws Exception {
    var digests = new BodyDigests(1000);
    digests.of(GLOBAL, BODY);

    assertEquals(sha256(OTHER), digests.of(GLOBAL, OTHER));
  }

  @Test
  void bodyIsTheLastOfItsQuery_digestIsReused() throws Exception {
    var digests = new BodyDigests(1000);
    var first = digests.of(GLOBAL, BODY);

    assertSame(first, digests.of(GLOBAL, BODY.clone()));
    assertEquals(sha256(BODY), first);
  }

  @Test
  void bodiesExceedTheBound_thoseUsedLastAreKept() {
    var digests = new BodyDigests(BODY.length + OTHER.length - 1);
    var ofGlobal = digests.of(GLOBAL, BODY);
    var ofDay = digests.of(DAY, OTHER);

    assertEquals(OTHER.length, digests.bytes());
    assertSame(ofDay, digests.of(DAY, OTHER.clone()));
    assertNotSame(ofGlobal, digests.of(GLOBAL, BODY.clone()));
  }

  @Test
  void bodyOfAQueryIsReplaced_onlyTheNewOneCounts() {
    var digests = new BodyDigests(1000);
    digests.of(GLOBAL, new byte[900]);
    digests.of(GLOBAL, new byte[500]);

    assertEquals(500, digests.bytes());
  }

  @Test
  void nothingMayBeKept_digestsAreRight() throws Exception {
    var digests = new BodyDigests(0);

    assertEquals(sha256(BODY), digests.of(GLOBAL, BODY));
    assertEquals(0, digests.bytes());
  }

  private static String sha256(byte[] body) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
  }
}
