package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingState;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerState;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.program.FilledRecords;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table names attributes that there are: a record whose attributes all have a value fills every column. */
class RecordTableTest {

  static final int HEADER_BYTES = 5;
  static final RecordTable TABLE = new RecordTable(ZoneOffset.UTC);

  @BeforeAll
  static void trustEvents() {
    AvroSettings.apply();
  }

  static Stream<Topic<?>> topics() {
    return new Topics("tidemark.", Retention.DEFAULT).all().stream();
  }

  @ParameterizedTest
  @MethodSource("topics")
  void recordWithAllAttributes_hasItsPlaceNameAndColumns(Topic<?> topic) throws Exception {
    var record = filled(topic);
    var isState = AvroRecords.at(record, "known") instanceof SpecificRecord;
    var row = isState ? null : RecordTable.ROWS.get(record.getSchema().getName().replace("State", ""));

    assertThat(TABLE.place(record, "topic", "key")).isNotEmpty();
    assertThat(TABLE.name(record, "key")).isNotEmpty();
    if (row != null) {
      assertThat(TABLE.columns(record, "key")).hasSameSizeAs(withoutFlags(row.columns()));
    } else if (isState) {
      assertThat(TABLE.columns(record, "key")).contains("observed 09:01:52");
    }
  }

  @ParameterizedTest
  @CsvSource({"dex, uniswap_v2, pools on uniswap_v2", "dex, uniswap-v3-arbitrum, pools on uniswap-v3-arbitrum",
    "search, pepe_2, search pepe_2"})
  void rankingWithAnUnderscore_isNamedWhole(String kind, String text, String name) {
    var ranking = Ranking.newBuilder().setKind(kind).setNetwork("eth");
    var known = kind.equals("dex") ? ranking.setDex(text).build() : ranking.setQuery(text).build();

    assertThat(TABLE.name(RankingState.newBuilder().setKnown(known).build(), "key")).isEqualTo(name);
  }

  @Test
  void tickerWithAnUnderscore_isNamedWhole() {
    var known = Ticker.newBuilder().setMarket("mxc").setBase("STETH_2L").setTarget("USDT").build();

    assertThat(TABLE.name(TickerState.newBuilder().setKnown(known).build(), "key")).isEqualTo("STETH_2L/USDT");
  }

  /** A flag that is true has nothing to say. */
  private static List<String> withoutFlags(List<String> columns) {
    return columns.stream().filter(column -> !column.contains(":!")).toList();
  }

  private static SpecificRecord filled(Topic<?> topic) throws IOException {
    var bytes = FilledRecords.bytes(topic.schema(), 1);
    return new SpecificDatumReader<SpecificRecord>(topic.schema()).read(null,
        DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null));
  }
}
