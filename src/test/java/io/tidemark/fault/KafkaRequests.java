package io.tidemark.fault;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.RequestHeader;

/** The requests that clients send to Kafka, each read completely before its last byte is forwarded. */
final class KafkaRequests implements Proxy.Tap {

  private final Map<Object, ByteArrayOutputStream> waiting = new ConcurrentHashMap<>();
  private final Predicate<Request> reader;

  KafkaRequests(Predicate<Request> reader) {
    this.reader = reader;
  }

  /** One request; its body is parsed on demand. */
  record Request(RequestHeader header, ByteBuffer body) {

    ApiKeys api() {
      return header.apiKey();
    }

    boolean isOf(String client) {
      return header.clientId() != null && header.clientId().startsWith(client);
    }

    /** Returns whether it is a write by a ledger. */
    boolean isProduced() {
      return api() == ApiKeys.PRODUCE && isOf("tidemark-ledger");
    }

    ProduceRequestData produced() {
      return new ProduceRequestData(new ByteBufferAccessor(body.duplicate()), header.apiVersion());
    }
  }

  @Override
  public boolean see(Object connection, byte[] bytes, int length) {
    var buffer = waiting.computeIfAbsent(connection, any -> new ByteArrayOutputStream());
    buffer.write(bytes, 0, length);
    var all = ByteBuffer.wrap(buffer.toByteArray());
    var passes = true;
    while (all.remaining() > Integer.BYTES && all.remaining() >= Integer.BYTES + all.getInt(all.position())) {
      var size = all.getInt();
      passes &= read(all.slice(all.position(), size));
      all.position(all.position() + size);
    }
    buffer.reset();
    buffer.write(all.array(), all.position(), all.remaining());
    return passes;
  }

  private boolean read(ByteBuffer request) {
    return reader.test(new Request(RequestHeader.parse(request), request));
  }
}
