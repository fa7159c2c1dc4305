package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies that are not what the document says. */
class StrictJsonTest {
  private static final Query.GlobalMarket GLOBAL = new Query.GlobalMarket();

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "`` | expected an object, found the end",
    "{} | no member data",
    "[] | expected an object, found START_ARRAY",
    "{\"data\":3} | expected an object, found VALUE_NUMBER_INT (at /data",
    "{\"data\":{\"markets\":1 | Unexpected end-of-input",
    "{\"data\":{}} {} | unexpected content after the end",
    "{\"data\":{}}x | Unrecognized token",
    "{\"data\":{\"markets\":1,\"markets\":2}} | Duplicate field",
    "{\"data\":{\"markets\":NaN}} | Non-standard token",
    "<html> | Unexpected character",
  })
  void brokenBody_isUnreadable_withWhatAndWhere(String body, String what) {
    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Failure.Unreadable.class)
        .hasMessageContaining("/global")
        .hasMessageContaining(what)
        .extracting(failure -> ((Failure.Unreadable) failure).raw())
        .isEqualTo(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void bodyThatIsNoUtf8_isUnreadable_withThePlace() {
    byte[] body = "{\"data\":{\"a\":\"?\"}}".getBytes(StandardCharsets.UTF_8);
    body[14] = (byte) 0xff;

    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body)).hasMessageContaining("not UTF-8 (at byte 14)");
  }

  @Test
  void nestingWithoutEnd_isUnreadable() {
    byte[] body = ("{\"data\":{\"a\":" + "[".repeat(1_000)).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body)).hasMessageContaining("nesting depth");
  }

  @Test
  void numberOfThousandsOfDigits_isUnreadable() {
    byte[] body = ("{\"data\":{\"a\":" + "1".repeat(2_001) + "}}").getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body)).hasMessageContaining("Number value length");
  }

  @Test
  void numberTooLargeForADouble_becomesExtra() {
    byte[] body = "{\"data\":{\"volume_change_percentage_24h_usd\":-1.50e999999999}}".getBytes(StandardCharsets.UTF_8);

    var global = GoldenBodies.decode(GLOBAL, body);

    assertThat(global.nulls()).containsExactly("volume.volume_change_percentage_24h_usd");
    assertThat(global.resource().getExtra().getJson())
        .isEqualTo("{\"volume_change_percentage_24h_usd\":-1.50e999999999}");
  }

  @Test
  void resourceWithoutIdentity_makesTheBodyUnreadable() {
    byte[] body = "{\"name\":\"X\",\"holdings\":[]}".getBytes(StandardCharsets.UTF_8);
    var query = new Query.PublicTreasury("x", Set.of(), Set.of());

    assertThatThrownBy(() -> GoldenBodies.decode(query, body)).hasMessageContaining("a Treasury without id");
  }
}
