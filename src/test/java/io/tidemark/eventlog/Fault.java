package io.tidemark.eventlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.fault.NetworkConditions;
import io.tidemark.kafka.ClusterTopics;
import java.time.Duration;

/** A fault of an instance, of Kafka, of the service or of the network to it. */
enum Fault {
  KILLED {
    @Override
    void strike(ChaosRun run) {
      run.instance().kill();
    }
  },
  TERMINATED {
    @Override
    void strike(ChaosRun run) {
      run.instance().stop();
    }
  },
  PAUSED {
    @Override
    void strike(ChaosRun run) {
      run.pause(run.instance(), run.seconds(1, 5));
    }
  },
  PAUSED_BEYOND_EVERY_TIMEOUT {
    @Override
    void strike(ChaosRun run) {
      run.pause(run.instance(), run.seconds(13, 16));
    }
  },
  KAFKA_KILLED {
    @Override
    void strike(ChaosRun run) {
      run.broker().kill();
      run.startBroker();
    }
  },
  KAFKA_RESTARTED {
    @Override
    void strike(ChaosRun run) {
      run.broker().stop();
      run.startBroker();
    }
  },
  KAFKA_PAUSED {
    @Override
    void strike(ChaosRun run) {
      run.pause(run.broker(), run.seconds(2, 8));
    }
  },
  KAFKA_DISCONNECTED {
    @Override
    void strike(ChaosRun run) {
      run.toKafka(NetworkConditions.RESET, run.seconds(1, 5));
    }
  },
  KAFKA_LATE {
    @Override
    void strike(ChaosRun run) {
      run.toKafka(NetworkConditions.late(Duration.ofMillis(400)), run.seconds(3, 6));
    }
  },
  KAFKA_BLACK_HOLE {
    @Override
    void strike(ChaosRun run) {
      run.toKafka(NetworkConditions.BLACK_HOLE, run.seconds(2, 6));
      run.toKafka(NetworkConditions.RESET, Duration.ofMillis(100));
    }
  },
  SERVICE_DISCONNECTED {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.RESET, run.seconds(1, 5));
    }
  },
  SERVICE_LATE {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.late(Duration.ofMillis(700)), run.seconds(2, 5));
    }
  },
  SERVICE_DRIP {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.drip(200, Duration.ofMillis(50)), run.seconds(3, 6));
    }
  },
  SERVICE_CUT {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.cut(900), run.seconds(2, 4));
    }
  },
  SERVICE_BLACK_HOLE {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.BLACK_HOLE, run.seconds(2, 5));
      run.toService(NetworkConditions.RESET, Duration.ofMillis(100));
    }
  },
  TOO_MANY_REQUESTS {
    @Override
    void strike(ChaosRun run) {
      var body = "{\"status\":{\"error_code\":429,\"error_message\":\"You've exceeded the Rate Limit.\"}}";
      run.toService(
          NetworkConditions.answering(body, "429 Too Many Requests", "Content-Type: application/json",
              "Retry-After: 1"),
          run.seconds(1, 3));
    }
  },
  SERVER_TROUBLE {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.answering("{\"status\":500,\"error\":\"Internal Server Error\"}", "500 X"),
          run.seconds(1, 4));
    }
  },
  NO_JSON {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.answering("<!DOCTYPE html><title>Access denied</title>", "200 OK"),
          run.seconds(1, 4));
    }
  },
  BROKEN_JSON {
    @Override
    void strike(ChaosRun run) {
      run.toService(
          NetworkConditions.answering(BROKEN, "200 OK", "Content-Type: application/json", "x-request-id: " + BROKEN_ID),
          run.seconds(1, 4));
    }
  },
  EMPTY_BODY {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.answering("", "200 OK", "Content-Type: application/json"), run.seconds(1, 4));
    }
  },
  ENDLESS_BODY {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.answering("[".repeat(40_000_000), "200 OK", "Content-Type: application/json"),
          run.seconds(1, 4));
    }
  },
  REDIRECTED {
    @Override
    void strike(ChaosRun run) {
      run.toService(NetworkConditions.answering("", "302 Found", "Location: http://127.0.0.1:1/elsewhere"),
          run.seconds(1, 4));
    }
  },
  STATE_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.state(), "no-such-resource", GARBAGE);
    }
  },
  STATE_UNKNOWN_SCHEMA {
    @Override
    void strike(ChaosRun run) {
      run.write(run.state(), "no-such-resource", UNKNOWN_SCHEMA);
    }
  },
  STATE_CUT_SHORT {
    @Override
    void strike(ChaosRun run) {
      run.writeCutShort(run.state());
    }
  },
  STATE_TOMBSTONE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.state(), "no-such-resource", null);
    }
  },
  STATE_OVERSIZE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.state(), "no-such-resource", new byte[900_000]);
    }
  },
  CHANGES_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.changes(), "no-such-resource", GARBAGE);
    }
  },
  CHANGES_NULL_KEY {
    @Override
    void strike(ChaosRun run) {
      run.write(run.changes(), null, GARBAGE);
    }
  },
  CHANGES_NULL_VALUE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.changes(), "no-such-resource", null);
    }
  },
  TARGET_STATE_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().targetState(), "/no/such/target", GARBAGE);
    }
  },
  TARGET_MEMBERS_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().targetMembers(), "/no/such/target#1", GARBAGE);
    }
  },
  SOURCE_STATE_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().sourceState(), "no-such-source", GARBAGE);
    }
  },
  WATCH_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().watch(), "no-such-kind/name", GARBAGE);
    }
  },
  CONTROL_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().control(), null, GARBAGE);
    }
  },
  LISTING_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(run.topics().poolListing(), "no-such-pool", UNKNOWN_SCHEMA);
    }
  },
  SOURCES_GARBAGE {
    @Override
    void strike(ChaosRun run) {
      run.write(ClusterTopics.UNPREFIXED.sources(), "no-such-slot", GARBAGE);
    }
  },
  FUTURE_TIMESTAMP {
    @Override
    void strike(ChaosRun run) {
      run.writeFromTheFuture(run.state());
      run.writeFromTheFuture(run.topics().control());
    }
  },
  FOREIGN_TRANSACTION_ABORTED {
    @Override
    void strike(ChaosRun run) {
      run.abortForeignTransaction(run.state());
    }
  },
  FOREIGN_TRANSACTION_HANGS {
    @Override
    void strike(ChaosRun run) {
      run.hangForeignTransaction(run.state(), run.seconds(4, 12));
    }
  },
  STATE_TOPIC_DELETED {
    @Override
    void strike(ChaosRun run) {
      run.loseStates(ForeignProducer::deleteTopic);
    }
  },
  STATE_TOPIC_EMPTIED {
    @Override
    void strike(ChaosRun run) {
      run.loseStates(ForeignProducer::emptyTopic);
    }
  };

  /** Bytes that are not a record, and a record whose schema no registry has. */
  private static final byte[] GARBAGE = "garbage".getBytes(UTF_8);
  private static final byte[] UNKNOWN_SCHEMA = {0, 0x7f, 1, 2, 3, 4, 5, 6};

  /** A body that is not valid JSON, and its name. */
  static final String BROKEN = "{\"data\":[{\"id\":\"eth_0x1\",";
  static final String BROKEN_ID = "broken";

  abstract void strike(ChaosRun run);
}
