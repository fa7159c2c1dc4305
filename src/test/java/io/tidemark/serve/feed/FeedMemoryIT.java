package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.LiveHeap;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * The heap that feeds retain while nobody takes what they read, in a process of its own with the heap of the demo: each
 * topic has records of the largest size, a reader that follows it, and readers that catch up.
 */
class FeedMemoryIT {

  static final String HEAP = "-Xmx232m";
  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  @Test
  void whatFeedsRetain_isWithinTheirLimit() throws IOException {
    var topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(topics.all());
    }
    var process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), HEAP,
        "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"),
        SlowReaders.class.getName(), SharedBroker.bootstrapServers(), topics.prefix())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var answers = process.inputReader(UTF_8); var requests = process.outputWriter(UTF_8)) {
      assertThat(SlowReaders.answer(answers)).isEqualTo("open");
      write(topics, topic -> encode(topic.schema(), "x"));
      SlowReaders.ask(requests);
      assertThat(SlowReaders.answer(answers)).isEqualTo("closed");
      write(topics, FeedMemoryIT::largest);
      SlowReaders.ask(requests);
      assertThat(SlowReaders.answer(answers)).isEqualTo("open again");
      write(topics, FeedMemoryIT::largest);
      SlowReaders.ask(requests);
      var figures = List.of(SlowReaders.answer(answers).split(" ", -1)).stream().map(Long::valueOf).toList();
      var retained = figures.get(0);
      var counted = figures.get(1);
      var limit = figures.get(2);

      assertThat(retained).as("bytes of heap").isLessThanOrEqualTo(limit);
      assertThat(counted).as("bytes of events as they are counted").isBetween(limit / 4, limit / 2);
      assertThat(retained).as("bytes of heap, beside those that are counted").isGreaterThan(counted * 9 / 10);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A record in each topic. */
  private static void write(Topics topics, Function<Topic<?>, byte[]> value) {
    var config = Map.<String, Object>of("bootstrap.servers", SharedBroker.bootstrapServers(),
        "max.request.size", RecordLimits.REQUEST);
    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var topic : topics.all()) {
        producer.send(new ProducerRecord<>(topic.name(), "key".getBytes(UTF_8), value.apply(topic)));
      }
    }
  }

  /** A value of a topic whose texts are as long as a record may be. */
  private static byte[] largest(Topic<?> topic) {
    var empty = encode(topic.schema(), "");
    var longer = encode(topic.schema(), "x");
    var texts = longer.length - empty.length;
    var length = (RecordLimits.VALUE - empty.length) / texts - 3; // three bytes for the length of each
    var value = encode(topic.schema(), "x".repeat(length));
    assertThat(value.length).as(topic.name()).isBetween(RecordLimits.VALUE * 9 / 10, RecordLimits.VALUE);
    return value;
  }

  private static byte[] encode(Schema schema, String text) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(BuiltInRegistry.idOf(schema)).array());
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      new GenericDatumWriter<>(schema, GenericData.get()).write(filled(schema, text), encoder);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object filled(Schema schema, String text) {
    return switch (schema.getType()) {
      case RECORD -> {
        var record = new GenericData.Record(schema);
        schema.getFields().forEach(field -> record.put(field.pos(), filled(field.schema(), text)));
        yield record;
      }
      case UNION -> filled(schema.getTypes().getLast(), text);
      case ARRAY -> List.of(filled(schema.getElementType(), text));
      case MAP -> Map.of("name", filled(schema.getValueType(), text));
      case ENUM -> new GenericData.EnumSymbol(schema, schema.getEnumSymbols().getFirst());
      case STRING -> text;
      case BYTES -> ByteBuffer.wrap(text.getBytes(UTF_8));
      case LONG -> 1L;
      case INT -> 1;
      case DOUBLE -> 1.0;
      case BOOLEAN -> true;
      default -> throw new IllegalArgumentException(schema.toString());
    };
  }

  /** The process: readers that are open and take nothing. */
  static final class SlowReaders {

    private static final String ANSWER = "answer: ";
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int TOPICS_OF_A_READER = 30;

    private final Topics topics;
    private final FeedLimits limits = FeedLimits.ofHeap();
    private final Feeds feeds;

    private SlowReaders(String bootstrapServers, String prefix) {
      topics = new Topics(prefix, Retention.DEFAULT);
      feeds = new Feeds(new Quarantine("main", ReaderRole.FEEDS, topics.all(), InstantSource.system()), topics,
          new BuiltInRegistry(topics.all()), Map.of("bootstrap.servers", bootstrapServers), limits);
    }

    /**
     * For bootstrap servers and a prefix. Goes on with each request; the last answer has the bytes that readers retain,
     * those that the limits count, and those that they allow.
     */
    public static void main(String[] arguments) throws IOException {
      var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      var readers = new SlowReaders(arguments[0], arguments[1]);
      var following = readers.follow();
      reply("open");
      requests.readLine();
      var before = readers.heapWithout(following);
      reply("closed");
      requests.readLine();
      following = readers.follow();
      var late = readers.catchUp();
      reply("open again");
      requests.readLine();
      readers.awaitRead(following);
      readers.awaitRead(late);
      reply("%d %d %d".formatted(LiveHeap.bytes() - before, readers.limits.bytes(), readers.limits.mostBytes()));
      Runtime.getRuntime().halt(0);
    }

    /** Lets the process go on. */
    static void ask(BufferedWriter requests) throws IOException {
      requests.write("go on\n");
      requests.flush();
    }

    static String answer(BufferedReader answers) throws IOException {
      for (var line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(ANSWER)) {
          return line.substring(ANSWER.length());
        }
      }
      throw new IllegalStateException("the process of the readers ended");
    }

    private static void reply(String answer) {
      System.out.println(ANSWER + answer);
      System.out.flush();
    }

    /** The heap without readers, with all that reading each topic in each thread leaves behind. */
    private long heapWithout(List<Feed> following) {
      awaitRead(following);
      var late = catchUp();
      var read = new StringBuilder();
      await().atMost(TIMEOUT).until(() -> {
        late.forEach(feed -> read.append(FeedTest.written(feed, false)));
        return read.toString().split("event: caught-up", -1).length > late.size() * TOPICS_OF_A_READER;
      });
      Stream.concat(following.stream(), late.stream()).forEach(Feed::close);
      await().atMost(TIMEOUT).until(() -> feeds.readers() == 0 && feeds.catchingUp() == 0 && limits.bytes() == 0);
      return LiveHeap.bytes();
    }

    /** A reader of each topic, which has nothing to read yet. */
    private List<Feed> follow() {
      var opened = topics.all().stream().map(topic -> feed(List.of(topic), new StartPosition.End())).toList();
      opened.forEach(feed -> FeedTest.written(feed, false));
      return opened;
    }

    /** As many readers as may catch up, each from the beginning of many topics. */
    private List<Feed> catchUp() {
      var rotated = new ArrayList<>(topics.all());
      return IntStream.range(0, CatchUpLimiter.MOST).mapToObj(reader -> {
        Collections.rotate(rotated, rotated.size() / CatchUpLimiter.MOST);
        return feed(rotated.subList(0, TOPICS_OF_A_READER), new StartPosition.Beginning());
      }).toList();
    }

    private Feed feed(List<? extends Topic<?>> followed, StartPosition from) {
      var feed = feeds.open(new FeedRequest(followed.stream()
          .map(topic -> new TopicRequest(topic.name(), Set.of(), null, Set.of(), null, from))
          .collect(Collectors.toList()), null, false), "client " + feeds.readers());
      feed.begun().join();
      return feed;
    }

    /** Waits until each reader has something to take, and nothing more is read. */
    private void awaitRead(List<Feed> readers) {
      var before = new AtomicLong(-1);
      await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).until(() -> readers.stream().allMatch(Feed::hasMore)
          && before.getAndSet(limits.bytes()) == limits.bytes());
    }
  }
}
