package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.TargetState;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.avro.Schema;
import org.apache.avro.compiler.specific.SpecificCompiler;
import org.apache.avro.generic.GenericData;

/** Compiles a later version of the program, which has one more state topic, Kafka Streams store, and field of two schemas. */
final class LaterVersion {

  static final String TOPIC = "next.state";
  static final String STORE = "changes-by-resource";

  private static final Path SOURCES = Path.of("src/main/java/io/tidemark");

  private LaterVersion() {}

  /** Returns the folder of the classes that differ from those of this version. */
  static Path compile(Path folder) throws IOException {
    var sources = Files.createDirectories(folder.resolve("sources"));
    var classes = Files.createDirectories(folder.resolve("classes"));
    addField(sources, TargetState.SCHEMA$);
    addField(sources, ResourceMemory.SCHEMA$);
    change(sources, "kafka/Topics.java", "  public List<Topic<?>> all() {", """
        public Topic<Watch> next() {
          return compact("%s", Watch.class, "One topic more", "`<kind>/<name>`");
        }

        public List<Topic<?>> all() {""".formatted(TOPIC));
    change(sources, "kafka/Topics.java", "Stream.of(targetState(), targetMembers(), ",
        "Stream.of(next(), targetState(), targetMembers(), ");
    change(sources, "capture/ledger/StateTopics.java", ">of(topics.targetState(), ",
        ">of(topics.next(), topics.targetState(), ");
    change(sources, "stream/TidemarkTopology.java", "Set.of(ResourceStore.store(stores))", """
        Set.of(ResourceStore.store(stores), io.tidemark.stream.tick.StateStores.onDisk("%s", Serdes.Long()))"""
        .formatted(STORE));
    change(sources, "stream/ResourceProcessor.java", "public void process(Record<String, SpecificRecord> record) {", """
        public void process(Record<String, SpecificRecord> record) {
          if (record.key() != null && !(record.value() instanceof Control)) {
            org.apache.kafka.streams.state.KeyValueStore<String, Long> counts = context.getStateStore("%s");
            var count = counts.get(record.key());
            counts.put(record.key(), count == null ? 1 : count + 1);
          }
        """.formatted(STORE));
    compile(sources, classes);
    return classes;
  }

  private static void addField(Path sources, Schema to) throws IOException {
    var json = new ObjectMapper();
    var schema = json.readTree(to.toString());
    ((ArrayNode) schema.get("fields"))
        .add(json.readTree("{\"name\": \"next\", \"type\": [\"null\", \"string\"], \"default\": null}"));
    var compiler = new SpecificCompiler(new Schema.Parser().parse(schema.toString()));
    compiler.setStringType(GenericData.StringType.String);
    compiler.setFieldVisibility(SpecificCompiler.FieldVisibility.PRIVATE);
    compiler.compileToDestination(null, sources.toFile());
  }

  private static void change(Path sources, String file, String from, String to) throws IOException {
    var changed = sources.resolve(file);
    var text = Files.readString(Files.exists(changed) ? changed : SOURCES.resolve(file));
    assertThat(text).as(file).containsOnlyOnce(from);
    Files.createDirectories(changed.getParent());
    Files.writeString(changed, text.replace(from, to));
  }

  private static void compile(Path sources, Path classes) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var options = List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp",
        System.getProperty("java.class.path"));
    var errors = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null); var all = Files.walk(sources)) {
      var units = new ArrayList<>(all.filter(file -> file.toString().endsWith(".java")).toList());
      var succeeded =
          compiler.getTask(errors, files, null, options, null, files.getJavaFileObjectsFromPaths(units)).call();
      assertThat(succeeded).as(errors.toString()).isTrue();
    }
  }
}
