package io.tidemark.stream;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** Reads batches as the only broker of a cluster stores them: a consumer does not show their attributes. */
record StoredBatches(String host, int port) {

  /** The newest version in which topics have names. */
  private static final short VERSION = 12;

  private static final int MAX_BYTES = 1 << 20;

  static StoredBatches at(String bootstrapServer) {
    var colon = bootstrapServer.lastIndexOf(':');
    return new StoredBatches(bootstrapServer.substring(0, colon), Integer.parseInt(bootstrapServer, colon + 1,
        bootstrapServer.length(), 10));
  }

  /** The next batches of records from an offset; the markers of transactions are left out. */
  List<? extends RecordBatch> from(TopicPartition partition, long offset) {
    var wanted = new LinkedHashMap<>(Map.of(partition,
        new FetchRequest.PartitionData(Uuid.ZERO_UUID, offset, 0, MAX_BYTES, Optional.empty())));
    var request = FetchRequest.Builder.forConsumer(VERSION, 0, 0, wanted).build(VERSION);
    var answer = (FetchResponse) answer(request, new RequestHeader(ApiKeys.FETCH, VERSION, "test", 1));
    var found = answer.responseData(Map.of(), VERSION).get(partition);
    return StreamSupport.stream(FetchResponse.recordsOrFail(found).batches().spliterator(), false)
        .filter(batch -> !batch.isControlBatch())
        .toList();
  }

  private AbstractResponse answer(FetchRequest request, RequestHeader header) {
    try (var socket = new Socket(host, port); var in = new DataInputStream(socket.getInputStream())) {
      var bytes = request.serializeWithHeader(header);
      var sized = ByteBuffer.allocate(Integer.BYTES + bytes.remaining()).putInt(bytes.remaining()).put(bytes);
      socket.getOutputStream().write(sized.array());
      return AbstractResponse.parseResponse(ByteBuffer.wrap(in.readNBytes(in.readInt())), header);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
