package io.tidemark.capture.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayState;
import io.tidemark.event.CoinDayTranslation;
import io.tidemark.event.Contract;
import io.tidemark.event.ContractDescription;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.DerivativesExchangeDescription;
import io.tidemark.event.DerivativesExchangeState;
import io.tidemark.event.Extra;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.Rejection;
import io.tidemark.event.ResourceMemory;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is too long to be kept: cut in changes and states, and kept whole in a dead letter, once. */
class ValueLimitsTest {
  private static final Query.DerivativesExchangeById EXCHANGE =
      new Query.DerivativesExchangeById("binance", IncludeTickers.ALL);

  private final ManualSource source = new ManualSource(PublishSettings.MATERIAL);

  @Test
  void descriptionOf600Kilobytes_isCut_andTheAnswerIsKeptOnce() {
    described("short");
    var changes = described("x".repeat(600_000));

    var cut = "x".repeat(ValueLimits.TEXT - ValueLimits.MARK.length()) + ValueLimits.MARK;
    assertThat(exchangeChange(changes).getDescription().getAfter().getDescription()).isEqualTo(cut);
    assertThat(known().getDescription().getDescription()).isEqualTo(cut);
    assertThat(changes.deadLetters()).singleElement().satisfies(letter -> {
      assertThat(letter.getReason()).isEqualTo("values that are too long and are cut: 1; the first: "
          + "derivatives-exchange binance, description.description of 600000 characters");
      assertThat(letter.getLength()).isGreaterThan(600_000);
      assertThat(letter.getStatus()).isEqualTo(200);
    });

    var second = described("x".repeat(600_000));
    assertThat(second.deadLetters()).isEmpty();
    assertThat(second.updates()).allSatisfy(update -> assertThat(update.change()).isNull());
    var otherFacet = exchange("x".repeat(600_000));
    otherFacet.getDescription().setCountry("Malta");
    assertThat(poll(otherFacet, List.of()).deadLetters()).isEmpty();

    var other = described("y".repeat(600_000));
    assertThat(other.deadLetters()).hasSize(1);
    assertThat(exchangeChange(other).getDescription().getBefore().getDescription()).isEqualTo(cut);
    assertThat(exchangeChange(other).getDescription().getAfter()).isEqualTo(known().getDescription());
    assertThat(described("short").deadLetters()).isEmpty();
    assertThat(known().getDescription().getDescription()).isEqualTo("short");
  }

  @Test
  void textOfTheLimit_isWhole() {
    assertThat(described("x".repeat(ValueLimits.TEXT)).deadLetters()).isEmpty();
    assertThat(known().getDescription().getDescription()).hasSize(ValueLimits.TEXT);
  }

  @Test
  void surrogatePairAtTheCut_isNotHalved() {
    var before = ValueLimits.TEXT - ValueLimits.MARK.length() - 1;
    described("x".repeat(before) + "😀".repeat(10_000));

    assertThat(known().getDescription().getDescription()).isEqualTo("x".repeat(before) + ValueLimits.MARK);
  }

  @Test
  void undocumentedText_isCutAndStaysJson_andTheAnswerIsKeptOnce() {
    var json = "{\"note\":\"" + "\\\"".repeat(50_000) + "\",\"seen\":%d}";
    assertThat(extra(json.formatted(1)).deadLetters()).hasSize(1);
    assertThat(extra(json.formatted(2)).deadLetters()).isEmpty();

    assertThat(known().getExtra().getJson()).endsWith(ValueLimits.MARK + "\",\"seen\":2}").hasSizeLessThan(8_300);
    var list = extra("{\"list\":[" + "1,".repeat(50_000) + "1]}");
    assertThat(list.deadLetters()).hasSize(1);
    assertThat(known().getExtra().getJson()).startsWith("{\"list\":\"[1,1,").contains("\"note\":");
  }

  @Test
  void undocumentedMembersWithoutEnd_areBounded_alsoOverManyAnswers() {
    var letters = new ArrayList<Object>();
    for (var answer = 0; answer < 20; answer++) {
      var first = answer * 1_000;
      var members = IntStream.range(first, first + 100).mapToObj(i -> "\"m%05d\":\"%s\"".formatted(i, "v".repeat(40)));
      letters.addAll(extra("{\"attributes\":{" + members.collect(Collectors.joining(",")) + "}}").deadLetters());
    }

    assertThat(known().getExtra().getJson().length()).isBetween(30_000, ValueLimits.EXTRA);
    assertThat(known().getExtra().getJson()).endsWith("\"" + ValueLimits.MARK + "\":true}");
    assertThat(known().getExtra().getJson()).startsWith("{\"attributes\":{\"m00000\":\"v");
    assertThat(letters).hasSize(1);
  }

  @Test
  void mapOfManyEntries_keepsTheFirstByName() {
    var names = new LinkedHashMap<String, String>();
    IntStream.range(0, 10_000).forEach(i -> names.put("%05d".formatted(9_999 - i), "name"));
    assertThat(translated(names).deadLetters()).hasSize(1);
    assertThat(translated(names).deadLetters()).isEmpty();

    var kept = ((CoinDayState) source.known.find("coin-day", "bitcoin/2026-11-20")).getKnown().getTranslation()
        .getLocalization();
    assertThat(kept).containsEntry("00000", "name").containsEntry(ValueLimits.MARK, null).hasSizeBetween(1_700, 1_900);
  }

  @Test
  void listOf10000Contracts_isCutAtItsLimit_answerIsKeptOnce() {
    var contracts = IntStream.range(0, 10_000).mapToObj(i -> contract("C" + i)).toList();
    var changes = poll(exchange("short"), contracts);

    assertThat(changes.updates()).hasSize(ValueLimits.RESOURCES + 1);
    assertThat(changes.targetState().getComplete()).isFalse();
    assertThat(changes.targetState().getRejections()).containsExactly(new Rejection("contract", "too_many", 8_000L));
    assertThat(changes.deadLetters()).hasSize(1);
    assertThat(poll(exchange("short"), contracts).deadLetters()).isEmpty();
  }

  @Test
  void identityTooLong_isRefused_andTheOthersAreTaken() {
    var contracts = List.of(contract("A"), contract("B".repeat(ValueLimits.IDENTITY + 1)), contract("C"));
    var changes = poll(exchange("short"), contracts);

    assertThat(changes.updates()).extracting(ChangeSet.ResourceUpdate::key)
        .containsExactly("binance", "binance/A", "binance/C");
    assertThat(changes.targetState().getRejections())
        .containsExactly(new Rejection("contract", "identity_too_long", 1L));
    assertThat(changes.targetState().getComplete()).isTrue();
    assertThat(changes.deadLetters()).hasSize(1);
    assertThat(poll(exchange("other"), contracts).deadLetters()).isEmpty();
  }

  @Test
  void poolWithAnIdThatIsTooLong_isNotInTheList() {
    Pool hostile = ManualSource.pool("eth_" + "0".repeat(1_000), "1.0");
    var changes = source.list(ManualSource.TRENDING, ManualSource.priced("1.0"), Observation.of(hostile));

    assertThat(changes.members()).singleElement()
        .satisfies(page -> assertThat(page.getMembers()).containsExactly("eth_0xa"));
    assertThat(changes.deadLetters()).hasSize(1);
    assertThat(source.poll(ManualSource.POOL, new OnChainAnswer<>(Observation.of(hostile), null)).updates()).isEmpty();
  }

  /** The arithmetic of the limits, by the schemas: attributes that are added later count by themselves. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RANKING")
  void changeAndStateOfTheLargestResource_fitIntoARecord(ResourceKind kind) throws IOException {
    var resource = largest(AvroRecords.blank(kind.changes().resourceSchema()));
    var published = new HashMap<String, IndexedRecord>();
    var change = kind.changes().emptyChange(resource, Instant.EPOCH, 1);
    for (var facet : kind.facets()) {
      var value = facet.valueIn(resource);
      published.put(facet.name(), value);
      facet.putChange(change, facet.change(value, value, Instant.EPOCH));
    }
    AvroRecords.put(change, "origin", Origin.newBuilder().build());
    var about = AvroRecords.nonNull(change.getSchema().getField("about").schema());
    change.put(change.getSchema().getField("about").pos(), largest(about, about, false));
    var state = kind.states().build(resource, published, Instant.EPOCH, 1,
        Instant.EPOCH, Instant.EPOCH, ResourceMemory.newBuilder().setTargets(List.of("t".repeat(16 << 10))).build());

    var around = 64 << 10; // key, headers, origin
    assertThat(bytes(state)).isBetween(100_000, RecordLimits.RECORD - around);
    assertThat(bytes(change)).isBetween(100_000, RecordLimits.RECORD - around);
  }

  private static IndexedRecord largest(IndexedRecord resource) {
    for (var field : resource.getSchema().getFields()) {
      var schema = AvroRecords.nonNull(field.schema());
      resource.put(field.pos(), switch (schema.getType()) {
        case STRING -> text(ValueLimits.IDENTITY);
        case RECORD -> schema.getName().equals("Extra") ? new Extra(text(ValueLimits.EXTRA))
            : largest(schema, schema, false);
        default -> throw new IllegalStateException(field.toString());
      });
    }
    return resource;
  }

  private static Object largest(Schema schema, Schema owner, boolean isDecimal) {
    return switch (schema.getType()) {
      case STRING -> text(isDecimal ? ValueLimits.DECIMAL : ValueLimits.TEXT);
      case MAP -> Map.of(text(ValueLimits.MAP), largest(AvroRecords.nonNull(schema.getValueType()), owner, true));
      case RECORD -> {
        var record = AvroRecords.blank(schema);
        for (var field : schema.getFields()) {
          var decimal = schema.getObjectProp("decimals") != null || field.getObjectProp("decimal") != null;
          record.put(field.pos(), largest(AvroRecords.nonNull(field.schema()), schema, decimal));
        }
        yield record;
      }
      case LONG -> schema.getLogicalType() == null ? (Object) Long.MAX_VALUE : Instant.EPOCH;
      case INT -> Integer.MAX_VALUE;
      case DOUBLE -> 1.0;
      case BOOLEAN -> true;
      default -> throw new IllegalStateException(schema.toString());
    };
  }

  /** Three bytes a character: no other one needs more. */
  private static String text(int length) {
    return "\u20AC".repeat(length);
  }

  private static int bytes(SpecificRecord record) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new SpecificDatumWriter<>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return bytes.size();
  }

  private ChangeSet described(String description) {
    return poll(exchange(description), List.of());
  }

  private ChangeSet extra(String json) {
    var exchange = exchange("short");
    exchange.setExtra(new Extra(json));
    return poll(exchange, List.of());
  }

  private ChangeSet poll(DerivativesExchange exchange, List<Observation<Contract>> contracts) {
    return poll(EXCHANGE, new DerivativesAnswer(Observation.of(exchange), contracts));
  }

  private ChangeSet translated(Map<String, String> names) {
    var day = CoinDay.newBuilder().setCoin("bitcoin").setDate("2026-11-20").build();
    day.setTranslation(new CoinDayTranslation(names));
    return poll(new Query.CoinHistory("bitcoin", LocalDate.parse("2026-11-20"), true), Observation.of(day));
  }

  /** The text of the answer stands for the bytes that were received. */
  private <A> ChangeSet poll(Query<A> query, A body) {
    source.now = source.now.plusSeconds(10);
    var raw = (source.now + " " + body).getBytes(UTF_8);
    var received = new Body<A>() {
      @Override
      public A read() {
        return body;
      }

      @Override
      public byte[] raw() {
        return raw;
      }
    };
    var now = source.now;
    return source.snapshot(query,
        List.of(new Answer<>(query, received, now.toString(), now, now, now, null, null, null)), null);
  }

  private static DerivativesExchange exchange(String description) {
    var exchange = DerivativesExchange.newBuilder().setId("binance").build();
    exchange.setDescription(
        DerivativesExchangeDescription.newBuilder().setName("Binance").setDescription(description).build());
    return exchange;
  }

  private static Observation<Contract> contract(String symbol) {
    var contract = Contract.newBuilder().setExchange("binance").setSymbol(symbol).build();
    contract.setDescription(ContractDescription.newBuilder().setBase("BTC").build());
    return Observation.of(contract);
  }

  private DerivativesExchange known() {
    return ((DerivativesExchangeState) source.known.find("derivatives-exchange", "binance")).getKnown();
  }

  private static DerivativesExchangeChange exchangeChange(ChangeSet changes) {
    return (DerivativesExchangeChange) changes.updates().get(0).change();
  }
}
