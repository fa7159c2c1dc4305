package io.tidemark.http.wire;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.market.Observation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.specific.SpecificRecord;

/** A resource by chance, from its schema: attributes absent, null or of any value that can stand in JSON. */
final class ArbitraryResource {
  private static final String[] TEXTS = {"", "NaN", "0.00", "-1.50e-400", "1e5", "a \"quoted\" \\ thing", "\u202eevil",
    "<script>", "line\nbreak\u0000", "日本 🦄", "null", "x".repeat(10_000),
    "0.0000566673284218277368707532612867396024960039002528290815078515286"};
  private static final double[] NUMBERS = {0, 1, -1.5, 1e300, Double.MIN_VALUE, 42261.04, 1.0 / 3};
  private static final long[] WHOLES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1712512855};

  private final Random random;
  private final Set<String> nulls = new HashSet<>();

  ArbitraryResource(Random random) {
    this.random = random;
  }

  /** Identity is left to the caller. */
  static <R extends SpecificRecord> Observation<R> of(R resource, Random random) {
    var arbitrary = new ArbitraryResource(random);
    for (var field : resource.getSchema().getFields()) {
      if (isFacet(field)) {
        arbitrary.facet(resource, field);
      } else if (field.name().equals("extra") && random.nextInt(3) == 0) {
        resource.put(field.pos(), new Extra("{\"links\":{\"a\":[1.50,null]},\"undocumented\":1e400}"));
      }
    }
    return new Observation<>(resource, arbitrary.nulls);
  }

  private static boolean isFacet(Field field) {
    return AvroRecords.nonNull(field.schema()).getType() == Schema.Type.RECORD
        && field.getProp("derived") == null
        && !field.name().equals("extra");
  }

  /** A facet is there once one attribute has a value, or once the object is that it stands in. */
  private void facet(SpecificRecord resource, Field field) {
    if (random.nextInt(4) == 0) {
      return;
    }
    var facet = record(AvroRecords.nonNull(field.schema()), field.name() + ".");
    boolean hasValue = facet.getSchema().getFields().stream().anyMatch(each -> facet.get(each.pos()) != null);
    if (hasValue || field.getProp("path") != null) {
      resource.put(field.pos(), facet);
    }
  }

  private SpecificRecord record(Schema schema, String path) {
    var record = AvroRecords.blank(schema);
    for (var field : schema.getFields()) {
      if (field.getProp("derived") == null) {
        attribute(record, field, path + field.name());
      }
    }
    return record;
  }

  private void attribute(SpecificRecord record, Field field, String path) {
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1 -> nulls.add(path);
      default -> record.put(field.pos(), value(AvroRecords.nonNull(field.schema()), path));
    }
  }

  private Object value(Schema schema, String path) {
    return switch (schema.getType()) {
      case RECORD -> record(schema, path + ".");
      case MAP -> map(AvroRecords.nonNull(schema.getValueType()), path);
      case STRING -> text();
      case DOUBLE -> NUMBERS[random.nextInt(NUMBERS.length)];
      case LONG -> WHOLES[random.nextInt(WHOLES.length)];
      case BOOLEAN -> random.nextBoolean();
      default -> throw new IllegalStateException(schema.toString());
    };
  }

  private Map<String, Object> map(Schema values, String path) {
    var map = new HashMap<String, Object>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(ArbitraryQuery.id(random), random.nextInt(3) == 0 ? null : value(values, path));
    }
    return map;
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }
}
