package io.tidemark.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredResponseTest {

  static final Instant RECEIVED_AT = Instant.parse("2026-11-21T12:00:00Z");
  static final byte[] EMPTY_LIST = "{\"data\":[]}".getBytes(UTF_8);

  @Test
  void page_isThatOfTheRequest() {
    var answer = stored("/networks/eth/new_pools", 3, EMPTY_LIST, Map.of()).answer();

    assertThat(answer.query()).isInstanceOfSatisfying(Query.NewPools.class,
        query -> assertThat(query.page()).isEqualTo(3));
    assertThat(answer.body().read()).isNotNull();
  }

  @Test
  void dateAndAge_sayOfWhenItIs() {
    var headers = Map.of("date", "Sat, 21 Nov 2026 11:59:50 GMT", "age", "20");

    assertThat(stored("/global", 1, EMPTY_LIST, headers).answer().asOf()).isEqualTo("2026-11-21T11:59:30Z");
  }

  @Test
  void withoutDate_itIsOfWhenItCame() {
    assertThat(stored("/global", 1, EMPTY_LIST, Map.of()).answer().asOf()).isEqualTo(RECEIVED_AT);
  }

  @Test
  void bodyThatIsStillBroken_isUnreadable() {
    var body = stored("/global", 1, "{\"data\":".getBytes(UTF_8), Map.of()).answer().body();

    assertThatThrownBy(body::read).isInstanceOf(Failure.Unreadable.class);
  }

  @Test
  void targetThatIsNoOperation_isRejected() {
    assertThatThrownBy(stored("/nothing", 1, EMPTY_LIST, Map.of())::answer).hasMessageContaining("'/nothing'");
  }

  private static StoredResponse stored(String target, int page, byte[] body, Map<String, String> headers) {
    return new StoredResponse(target, page, body, 200, headers, RECEIVED_AT, RECEIVED_AT);
  }
}
