package io.tidemark.rule.expression;

import static io.tidemark.rule.expression.Expression.Verdict.FALSE;
import static io.tidemark.rule.expression.Expression.Verdict.NO_DATA;
import static io.tidemark.rule.expression.Expression.Verdict.TRUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Alert;
import io.tidemark.event.Entered;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.GlobalMarketCap;
import io.tidemark.event.GlobalMarketCapChange;
import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {

  static final SpecificRecord MOVED = SampleChanges.moved("1.0", "1.25");

  @ParameterizedTest
  @ValueSource(strings = {
    "price.base_token_price_usd > 1",
    "price.base_token_price_usd > before.price.base_token_price_usd * 1.2",
    "price.move_percent >= 25.0",
    "changed.price && !changed.liquidity && !changed.activity",
    "network == 'solana' && network in ['base', 'solana']",
    "about.reserve_usd > 10000",
    "liquidity.reserve_in_usd == 80000.5",
    "origin.observed_at - price.before_observed_at == duration('60s')",
    "origin.observed_at < timestamp('2026-01-01T12:00:01Z')",
    "has(price.base_token_price_usd) && !has(price.quote_token_price_usd) && !has(activity.volume_usd.m5)",
    "network == 'solana' || activity.volume_usd.m5 > 1.0"})
  void conditionThatHolds_isTrue(String text) {
    assertThat(test(text, MOVED)).isEqualTo(TRUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "price.base_token_price_usd > 2",
    "changed.removed",
    "activity.volume_usd.m5 > 1.0 && revision == 7"})
  void conditionThatDoesNotHold_isFalse(String text) {
    assertThat(test(text, MOVED)).isEqualTo(FALSE);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "activity.volume_usd.m5 > 1.0",
    "!(activity.volume_usd.m5 > 1.0)",
    "appeared.kind == 'created'",
    "price.quote_token_price_usd > 0.0",
    "revision / 0 == 1",
    "about.reserve_usd > double(id)"})
  void missingValue_isNoData(String text) {
    assertThat(test(text, MOVED)).isEqualTo(NO_DATA);
  }

  @Test
  void priceThatIsNotANumber_isNoData() {
    assertThat(test("price.base_token_price_usd > 0.0", SampleChanges.moved("1.0", "NaN"))).isEqualTo(NO_DATA);
  }

  @Test
  void keyOfMap_isReachedByItsPath() {
    var global = global(Map.of("usd", 2.7e12));

    assertThat(test("market_cap.total_market_cap.usd > 2000000000000", global)).isEqualTo(TRUE);
    assertThat(test("has(market_cap.total_market_cap.usd)", global)).isEqualTo(TRUE);
  }

  @Test
  void keyThatIsMissingOrNull_isNoData() {
    var figures = new HashMap<String, Double>();
    figures.put("eur", null);

    assertThat(test("market_cap.total_market_cap.eur > 1.0", global(figures))).isEqualTo(NO_DATA);
    assertThat(test("market_cap.total_market_cap.usd > 1.0", global(figures))).isEqualTo(NO_DATA);
    assertThat(test("has(market_cap.total_market_cap.eur)", global(figures))).isEqualTo(FALSE);
  }

  @Test
  void fieldsOfListItems_areReachedByExists() {
    var change = new RankingChange();
    change.setOrder(order(new Entered("solana_A", 2, new PoolAbout())));

    assertThat(test("changed.order && order.entered.exists(e, e.rank <= 3 && e.pool == 'solana_A')", change))
        .isEqualTo(TRUE);
  }

  @Test
  void orderInAKeyFrameWithoutAMove_hasNotChanged() {
    var change = new RankingChange();
    change.setOrder(order());
    change.getOrder().setBeforeObservedAt(SampleChanges.NOON);

    assertThat(test("changed.order", change)).isEqualTo(FALSE);
  }

  @Test
  void orderThatIsObservedFirst_hasChanged() {
    var change = new RankingChange();
    change.setOrder(order());

    assertThat(test("changed.order", change)).isEqualTo(TRUE);
  }

  @Test
  void otherRecord_isReadByItsFields() {
    var listing = new PoolListing();
    listing.setList("solana/trending/1h");
    listing.setAction("entered");
    listing.setRank(3);

    assertThat(test("action == 'entered' && rank <= 10 && list.startsWith('solana/')", listing)).isEqualTo(TRUE);
  }

  @Test
  void misspeltName_isReportedWithPositionAndNearestRightName() {
    assertThatThrownBy(() -> compile("changed.price &&\n  price.base_token_price_us > 1.0"))
        .isInstanceOf(ExpressionException.class)
        .hasMessage("line 2, column 3: price.base_token_price_us: unknown;"
            + " did you mean price.base_token_price_usd?");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "price > 1.0 | line 1, column 1: price: has several values; name one of them, such as price.base_token_price",
    "true && zzz | line 1, column 9: zzz: unknown (put a text in quotes: \"zzz\"); names begin with about, activity, address, appeared, before,",
    "[1].exists(e, e > 0 && chnged.price) | line 1, column 24: chnged.price: unknown; did you mean changed.price?",
    "network | is of type string, but a condition must be true or false (bool)",
    "network.x == 'a' | line 1, column 1: network.x: unknown",
    "revision.exists(e, e > 1) | exists(), all(), filter() and map() need a list or a map, not a value of type int",
    "network == 1 | no matching overload",
    "price.base_token_price_usd >  | line 1, column 29: the expression ends too early"})
  void invalidCondition_isRejectedWithItsPosition(String text, String problem) {
    assertThatThrownBy(() -> compile(text)).isInstanceOf(ExpressionException.class).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "m5.gainers[0].perzent > 1.0 | line 1, column 14: perzent: no such field; did you mean percent?",
    "h1.losers.exists(l, l.zzzzzzzz == 1) | line 1, column 22: zzzzzzzz: no such field; the fields are name, percent, pool,",
    "m5.gainers.exists(g, g.percent > '1') | '>' cannot be used on (double, string)"})
  void fieldsOfListItems_areChecked(String text, String problem) {
    assertThatThrownBy(() -> compile(text, Movers.getClassSchema()))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "PoolListing | action == 'entred' | line 1, column 11: action is never \"entred\"; it is one of entered, exited, moved",
    "PoolListing | kind in ['trending', 'hot'] | kind is never \"hot\"; it is one of trending, new, dex, token, top, search",
    "PoolChange | 'arrived' != appeared.kind | appeared.kind is never \"arrived\"; it is one of created, found, reobserved",
    "PoolChange | id == 'eth_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640' | id is never \"eth_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640\": in topics, 0x and the digits after it are in lower case: \"eth_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640\"",
    "PoolChange | !(address in ['0x88E6A0C2dDD26FEEb64F039a2c41296FcB3f5640']) | in lower case: \"0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640\"",
    "Venues | cheapest.kind == 'tickr' | cheapest.kind is never \"tickr\"; it is one of ticker, pool",
    "TargetState | rejections.exists(r, r.reason == 'odd') | r.reason is never \"odd\"; it is one of older, concurrent, duplicate"})
  void comparisonThatNeverHolds_isRejected(String kind, String text, String problem) throws Exception {
    var schema = (Schema) Class.forName("io.tidemark.event." + kind).getMethod("getClassSchema").invoke(null);

    assertThatThrownBy(() -> compile(text, schema))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "action == ''",
    "settings.action == '' || action == settings.action",
    "['a'].exists(kind, kind == 'a')"})
  void comparisonThatMayHold_isAccepted(String text) {
    var compiler = new ExpressionCompiler(Vocabulary.of(PoolListing.getClassSchema()), Map.of("action", "any"), true);

    assertThatCode(() -> compiler.condition(text)).doesNotThrowAnyException();
  }

  /** The author of the rule that fired wrote it so. */
  @Test
  void labelWithAnAddressInCapitals_isAccepted() {
    assertThatCode(() -> compile("labels.token == 'eth_0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640'",
        Alert.getClassSchema())).doesNotThrowAnyException();
  }

  @Test
  void conditionThatWasAcceptedBefore_isAccepted() {
    var lenient = new ExpressionCompiler(Vocabulary.of(Movers.getClassSchema()), Map.of(), false);

    assertThatCode(() -> lenient.condition("h1.losers.exists(l, l['percent'] < -50.0 && size(l) > 2)"))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      changed.price ; price
      changed.price && price.base_token_price_usd > 1.0 ; price
      about.reserve_usd > 1.0 && (changed.price && network == "eth") ; price
      changed.price && (changed.liquidity || changed.activity) ; price
      network == "eth" && (changed.price || changed.activity) ; activity price
      changed.price && network == "eth" || changed.activity ; activity price
      changed.price || network == "eth" ; ''
      !changed.price ; ''
      changed.price == false ; ''
      changed.price ? network == "eth" : network == "base" ; ''
      price.base_token_price_usd > 1.0 ; ''
      """)
  void partsOfWhichOneMustHaveChanged_areKnown(String text, String parts) {
    var condition = compile(text);

    assertThat(String.join(" ", new TreeSet<>(condition.changedParts()))).isEqualTo(parts);
  }

  @Test
  void missingFields_areFoundWithHas() {
    var window = new MoverWindow();
    window.setLosers(List.of(new Mover("a", null, -60.0, 1.0, 2.0, null), new Mover("b", "B", -70.0, 1.0, 3.0, 9.0)));
    var movers = new Movers();
    movers.setH1(window);

    assertThat(test("h1.losers.exists(l, has(l.reserve_usd) && l.reserve_usd > 5)", movers)).isEqualTo(TRUE);
    assertThat(test("h1.losers.filter(l, !has(l.name))[0].pool == 'a'", movers)).isEqualTo(TRUE);
    assertThat(test("h1.losers[0].reserve_usd > 5", movers)).isEqualTo(NO_DATA);
  }

  @Test
  void settingThatNeverMatches_isRejected() {
    var compiler = new ExpressionCompiler(
        Vocabulary.of(PoolListing.getClassSchema()), Map.of("actions", List.of("entered", "removed")), true);

    assertThatThrownBy(() -> compiler.condition("action in settings.actions"))
        .hasMessageContaining("action is never \"removed\"");
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
      age(about.created_at) < duration("7d") ; 34 ; "7d" is no duration; the units are h, m, s and ms, so 7 days are
      age(about.created_at) < duration('10') ; 34 ; "10" is no duration
      origin.observed_at > timestamp('2026-01-01') ; 32 ; "2026-01-01" is no time; a time is written "2026-01-01T00:00
      origin.observed_at.getHours('Europe/Berln') < 6 ; 29 ; "Europe/Berln" is no time zone; a time zone is written
      origin.observed_at.getDayOfWeek("CEST") in [0, 6] ; 33 ; "CEST" is no time zone
      origin.observed_at.getHours('MEZ') < 6 ; 29 ; "MEZ" is no time zone
      origin.observed_at > timestamp(settings.begin) ; 40 ; "soon" is no time
      """)
  void constantThatCelCannotRead_isRejected(String text, int column, String problem) {
    var vocabulary = Vocabulary.of(PoolChange.getClassSchema());
    Map<String, Object> settings = Map.of("begin", "soon");

    assertThatThrownBy(() -> new ExpressionCompiler(vocabulary, settings, true).condition(text))
        .hasMessageStartingWith("line 1, column " + column + ": " + problem);
    assertThatCode(() -> new ExpressionCompiler(vocabulary, settings, false).condition(text))
        .as("accepted before").doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "age(about.created_at) < duration('1h30m')",
    "origin.observed_at - duration('-1.5s') < timestamp('2026-01-01T00:00:00.5+01:00')",
    "origin.observed_at.getHours('Europe/Berlin') < origin.observed_at.getHours('UTC')",
    "origin.observed_at.getHours('+02:00') < duration('90m').getMinutes()",
    "settings.begin == '' || origin.observed_at > timestamp(settings.begin)"})
  void constantThatCelReads_isAccepted(String text) {
    Map<String, Object> settings = Map.of("begin", "");

    assertThatCode(() -> new ExpressionCompiler(Vocabulary.of(PoolChange.getClassSchema()), settings, true)
        .condition(text)).doesNotThrowAnyException();
  }

  @Test
  void allIssues_areInOneMessage() {
    assertThatThrownBy(() -> compile("netwrk == 'solana' && network > 1\n  && min(1, 2) > 1 && abuot.name == ''"))
        .hasMessage(
            """
                line 1, column 1: netwrk: unknown; did you mean network?
                line 1, column 31: no matching overload: '>' cannot be used on (string, int);\
                 a text is compared with a text in quotes: network == "solana"
                line 2, column 9: min: no such function; compare each value: a > 5.0 || b > 5.0 (highest() and lowest() are for values over time)
                line 2, column 23: abuot.name: unknown; did you mean about.name?""");
  }

  @Test
  void overlongCondition_isRejected() {
    assertThatThrownBy(() -> compile("true" + " || true".repeat(2_000))).isInstanceOf(ExpressionException.class);
  }

  @Test
  void deeplyNestedCondition_isRejected() {
    assertThatThrownBy(() -> compile("(".repeat(500) + "true" + ")".repeat(500)))
        .isInstanceOf(ExpressionException.class);
  }

  @Test
  void recordOfAnotherSchema_isRejected() {
    var condition = compile("revision > 0");

    assertThatThrownBy(() -> condition.test(new EvaluatedRecord(new RankingChange(), SampleChanges.NOON)))
        .hasMessage(
            "a condition over io.tidemark.event.PoolChange cannot be evaluated on io.tidemark.event.RankingChange");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "PoolChange | activity.transactions.m5.buys > 10 && flow.net_buy_volume_usd.h1 > 0.0",
    "TokenChange | supply.total_supply > 0.0 && pool_price.price_usd > 1.0 && price.move_percent > 1.0",
    "RankingChange | kind == 'trending' && order.size > 0",
    "GlobalChange | dominance.market_cap_percentage.btc > 50 && counts.markets > 1",
    "CoinDayChange | market.current_price.usd > 1.0 && development.code_additions_deletions_4_weeks.additions > 1.0",
    "TickerChange | quality.is_stale || converted.converted_last.usd > 1.0 || has(times.last_fetch_at)",
    "DerivativesExchangeChange | volume.trade_volume_24h_btc > 1.0 && description.description != ''",
    "ContractChange | funding.funding_rate > 0.1 && converted.converted_volume.usd > 1.0",
    "TreasuryChange | valuation.m_nav < 1.0 && description.type == 'company'",
    "HoldingChange | position.amount_change > 0.0 && trend.holding_amount_change.d7 > 0.0",
    "PlatformChange | nft.supported && description.chain_identifier == 1",
    "PoolListing | list == 'x' && about.reserve_usd > 1.0",
    "Alert | severity == 'critical' && labels.network == 'eth' && evidence.size() > 0",
    "Candle | close > open && end - start == duration('60s')",
    "TargetState | complete && pages.exists(p, p.status != 200)",
    "Control | kind == 'tick'"})
  void everyKindOfRecord_canBeEvaluated(String kind, String text) throws Exception {
    var record = Class.forName("io.tidemark.event." + kind)
        .asSubclass(SpecificRecord.class)
        .getConstructor()
        .newInstance();

    assertThatCode(() -> test(text, record)).doesNotThrowAnyException();
  }

  private static Expression.Verdict test(String text, SpecificRecord record) {
    return compile(text, record.getSchema())
        .test(new EvaluatedRecord(record, SampleChanges.NOON));
  }

  private static Expression compile(String text) {
    return compile(text, PoolChange.getClassSchema());
  }

  private static Expression compile(String text, Schema schema) {
    return new ExpressionCompiler(Vocabulary.of(schema), Map.of(), true).condition(text);
  }

  private static RankingOrderChange order(Entered... entered) {
    var order = new RankingOrderChange();
    order.setEntered(List.of(entered));
    order.setExited(List.of());
    order.setMoved(List.of());
    return order;
  }

  private static GlobalChange global(Map<String, Double> capitalisation) {
    var change = new GlobalChange();
    var after = GlobalMarketCap.newBuilder().setTotalMarketCap(capitalisation).build();
    change.setMarketCap(new GlobalMarketCapChange(null, after, null));
    return change;
  }
}
