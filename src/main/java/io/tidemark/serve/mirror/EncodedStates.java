package io.tidemark.serve.mirror;

import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.event.RecordCodec;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest states of one kind of resource by key. Each state is a byte array of the known values, without the
 * published values and without the memory of change detection. One thread writes; any thread reads.
 *
 * <p>The states are on the heap, because the watch list bounds their number, which therefore does not grow with time.
 * A ledger, which can have millions of states, has a local store instead.
 */
final class EncodedStates<R extends SpecificRecord> {

  /** Estimated bytes of a stored state without its key and its encoded resource. */
  private static final int OVERHEAD_BYTES = 56;

  private final ChangeView view;
  private final Class<R> type;
  private final RecordCodec<R> codec;

  /** Names of the facets, in the order of their bits. */
  private final List<String> facets;

  private final Map<String, KnownResource<byte[]>> states = new ConcurrentHashMap<>();

  /** @param resource {@code pool}, {@code coin-day}, ... */
  EncodedStates(String resource, Class<R> type) {
    this.view = ChangeView.ofResource(resource);
    this.type = type;
    this.codec = RecordCodec.of(type);
    this.facets = view.facets().stream().map(FacetView::name).toList();
  }

  /**
   * @param resource a copy that the reader may change, or the encoded resource
   * @param facets one bit per facet, in the order of the schema, which is set if the facet has been observed
   * @param writtenAt timestamp of the state's record, in milliseconds since 1970
   * @param observedAt time at which the resource was last observed, according to the state, in milliseconds since 1970
   */
  record KnownResource<R>(R resource, long facets, long revision, long writtenAt, long observedAt, boolean visible) {
    <T> KnownResource<T> with(T other) {
      return new KnownResource<>(other, facets, revision, writtenAt, observedAt, visible);
    }
  }

  ChangeView view() {
    return view;
  }

  int size() {
    return states.size();
  }

  long bytes() {
    return states.entrySet().stream()
        .mapToLong(each -> OVERHEAD_BYTES + each.getKey().length() + each.getValue().resource().length)
        .sum();
  }

  Stream<String> keys() {
    return states.keySet().stream();
  }

  /** Returns the known state of a resource, or null if the resource is not known. */
  @Nullable
  KnownResource<R> find(String key) {
    var known = states.get(key);
    return known == null ? null : known.with(codec.read(known.resource(), 0));
  }

  /**
   * Returns whether a resource is known and its state has at least the given revision or comes from a record written
   * after {@code writtenAt}.
   */
  boolean hasReached(String key, long revision, long writtenAt) {
    var known = states.get(key);
    return known != null && (known.revision() >= revision || known.writtenAt() > writtenAt);
  }

  /** Returns whether a resource is known and not visible. */
  boolean isHidden(String key) {
    var known = states.get(key);
    return known != null && !known.visible();
  }

  void remove(String key) {
    states.remove(key);
  }

  /**
   * Puts a state and returns it. If the state says that the resource was removed, forgets the resource and returns
   * null.
   */
  @Nullable
  KnownResource<R> put(String key, SpecificRecord state, long writtenAt) {
    if (view.state().removed(state) != null) {
      states.remove(key);
      return null;
    }
    var known = new KnownResource<>(type.cast(view.state().known(state)), facets(view.state().memory(state)),
        view.state().revision(state), writtenAt, view.state().observedAt(state).toEpochMilli(),
        view.state().visible(state));
    var out = new ByteArrayOutputStream();
    codec.write(known.resource(), out);
    states.put(key, known.with(out.toByteArray()));
    return known;
  }

  /**
   * Returns the bits of the facets that were observed, or of all facets if the detection memory cannot be decoded
   * because another version of the program wrote it.
   */
  private long facets(ByteBuffer bytes) {
    ResourceMemory memory;
    try {
      memory = ResourceMemoryCodec.read(bytes);
    } catch (RuntimeException e) {
      return -1;
    }
    var observed = 0L;
    for (var facet : memory.getFacets()) {
      var position = facets.indexOf(facet.getFacet());
      observed |= position < 0 ? 0 : 1L << position;
    }
    return observed;
  }
}
