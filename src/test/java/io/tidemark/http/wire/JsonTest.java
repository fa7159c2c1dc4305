package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are not what the document says. */
class JsonTest {
  private static final Query.GlobalMarket GLOBAL = new Query.GlobalMarket();

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "`` | expected an object, found the end",
    "{} | the member data is missing",
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

  /** Wherever in the answer it is, and whether or not anything there is kept. */
  @ParameterizedTest
  @ValueSource(strings = {
    "{'data':[],'data':[]}",
    "{'data':[],'meta':{'a':[{'b':1,'b':1}]}}",
    "{'data':[{'id':'eth_0x1','id':'eth_0x1','type':'pool','attributes':{'address':'0x1'}}]}",
    "{'data':[{'id':'eth_0x1','type':'pool','attributes':{'address':'0x1','name':'a','name':'a'}}]}",
    "{'data':[{'id':'eth_0x1','type':'pool','attributes':{'address':'0x1','new':1,'name':'a','new':1}}]}",
    "{'data':[{'id':'eth_0x1','type':'pool','attributes':{'address':'0x1','new':{'a':1,'a':1}}}]}",
    "{'data':[{'id':'eth_0x1','type':{'a':1,'a':1},'attributes':{'address':'0x1'}}]}",
    "{'data':[],'included':[{'id':'eth_0x2','type':'token','id':'eth_0x2','attributes':{'address':'0x2'}}]}",
    "{'data':[],'included':[{'id':'eth_0x2','type':'token','attributes':{'address':'0x2'},'type':'token'}]}",
    "{'data':[],'included':[{'type':'token','id':'eth_0x2','id':'eth_0x2','attributes':{'address':'0x2'}}]}",
    "{'data':[],'included':[{'id':'x','type':'dex','id':'x','attributes':{'name':'X'}}]}",
    "{'data':[],'included':[{'id':'x','type':'other','a':1,'a':1}]}",
  })
  void nameThatAnObjectHasTwice_isUnreadable(String body) {
    var query = new Query.NewPools("eth", Set.of(), 1, false);

    assertThatThrownBy(() -> GoldenBodies.decode(query, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Failure.Unreadable.class)
        .hasMessageContaining("Duplicate field");
  }

  @Test
  void longText_inWhatIsIgnored_isNotRead() {
    var query = new Query.NewPools("eth", Set.of(), 1, false);
    var body = "{\"data\":[],\"meta\":{\"a\":[\"" + "x".repeat(2 << 20) + "\"]}}";

    assertThat(GoldenBodies.decode(query, body.getBytes(StandardCharsets.UTF_8)).data()).isEmpty();
  }

  /** As Jackson does since 2.22.4; in a value it becomes a question mark. */
  @Test
  void halfOfASurrogatePair_inAName_isUnreadable() {
    byte[] body = "{\"data\":{\"\\ud800\":1}}".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body)).hasMessageContaining("surrogate");
  }

  /** The service sends id and type first; nothing depends on it. */
  @ParameterizedTest
  @ValueSource(strings = {
    "{'id':'eth_0x2','type':'token','attributes':{'address':'0x2','symbol':'T'}}",
    "{'type':'token','id':'eth_0x2','attributes':{'address':'0x2','symbol':'T'}}",
    "{'id':'eth_0x2','attributes':{'address':'0x2','symbol':'T'},'type':'token'}",
    "{'attributes':{'address':'0x2','symbol':'T'},'id':'eth_0x2','type':'token'}",
  })
  void includedResource_isRead_whateverComesFirst(String token) {
    var query = new Query.NewPools("eth", Set.of(), 1, false);
    var body = "{'data':[],'included':[%s,{'id':3},{'id':'x','type':null},{},7]}".formatted(token).replace('\'', '"');

    var included = GoldenBodies.decode(query, body.getBytes(StandardCharsets.UTF_8)).included();

    assertThat(included.tokens()).singleElement()
        .satisfies(each -> assertThat(each.resource().getDescription().getSymbol()).isEqualTo("T"));
  }

  @Test
  void undocumentedMember_isKeptWithItsPath() {
    byte[] body =
        "{\"data\":{\"markets\":1,\"a\":{\"b\":[1,{\"c\":\"\\ud800\"}]},\"total_volume\":{\"usd\":{\"d\":2}}}}"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(GoldenBodies.decode(GLOBAL, body).resource().getExtra().getJson())
        .isEqualTo("{\"a\":{\"b\":[1,{\"c\":\"?\"}]},\"total_volume\":{\"usd\":{\"d\":2}}}");
  }

  /** Half a surrogate pair, and a character in more bytes than it needs. */
  @ParameterizedTest
  @ValueSource(strings = {"EDA0BD", "C0AF", "F4908080"})
  void bytesThatAreNoCharacter_areUnreadable(String hex) {
    var body = new ByteArrayOutputStream();
    body.writeBytes("{\"data\":{\"a\":\"".getBytes(StandardCharsets.UTF_8));
    body.writeBytes(HexFormat.of().parseHex(hex));
    body.writeBytes("\"}}".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> GoldenBodies.decode(GLOBAL, body.toByteArray()))
        .hasMessageContaining("not UTF-8 (at byte 14)");
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

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.00", "1.50", "1E5", "1e400", "-1.50E-400", "1.5e-7", "99999999999999999999",
    "1e9999999999", "0.0000566673284218277368707532612867396024960039002528290815078515286"})
  void number_keepsItsDigits_asTextAndWhereItIsUndocumented(String digits) {
    var query = new Query.NewPools("eth", Set.of(), 1, false);
    byte[] body = "{\"data\":[{\"id\":\"eth_0x1\",\"attributes\":{\"reserve_in_usd\":%s,\"new\":[{\"a\":%s}]}}]}"
        .formatted(digits, digits).getBytes(StandardCharsets.UTF_8);

    var answer = GoldenBodies.decode(query, body);

    var pool = answer.data().getFirst().resource();
    assertThat(pool.getLiquidity().getReserveInUsd()).isEqualTo(digits);
    assertThat(pool.getExtra().getJson()).isEqualTo("{\"new\":[{\"a\":%s}]}", digits);
    assertThat(new String(GoldenBodies.encode(query, answer, FieldNaming.DOCUMENT), StandardCharsets.UTF_8))
        .contains("\"reserve_in_usd\":\"" + digits + "\"")
        .contains("\"new\":[{\"a\":" + digits + "}]");
  }

  @ParameterizedTest
  @CsvSource({"36262.0, 36262", "12345678, 12345678", "-9007199254740992, -9007199254740992", "0, 0", "-0.0, 0",
    "12345678.5, 1.23456785E7", "1e16, 1.0E16"})
  void numberThatIsWhole_isWrittenWithoutFractionAndExponent(String sent, String written) {
    byte[] body = "{\"data\":{\"volume_change_percentage_24h_usd\":%s}}".formatted(sent)
        .getBytes(StandardCharsets.UTF_8);

    var again = GoldenBodies.encode(GLOBAL, GoldenBodies.decode(GLOBAL, body), FieldNaming.DOCUMENT);

    assertThat(new String(again, StandardCharsets.UTF_8))
        .contains("\"volume_change_percentage_24h_usd\":" + written + "}");
  }

  @Test
  void numberTooLargeForADouble_becomesExtra() {
    byte[] body = "{\"data\":{\"volume_change_percentage_24h_usd\":-1.50e999999999}}".getBytes(StandardCharsets.UTF_8);

    var global = GoldenBodies.decode(GLOBAL, body);

    assertThat(global.nulls()).containsExactly("volume.volume_change_percentage_24h_usd");
    assertThat(global.resource().getExtra().getJson())
        .isEqualTo("{\"volume_change_percentage_24h_usd\":-1.50e999999999}");
  }
}
