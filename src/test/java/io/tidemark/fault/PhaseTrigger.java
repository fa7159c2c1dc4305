package io.tidemark.fault;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An action that runs when an instance is next in a phase, before its request reaches Kafka. */
public final class PhaseTrigger {

  private record Set(InstancePhase phase, BooleanSupplier strike) {}

  private final AtomicReference<@Nullable Set> set = new AtomicReference<>();
  private final ReservedCalls reserved = new ReservedCalls();

  /** Returns the tap for a proxy before Kafka; it sees the requests of all clients. */
  public Proxy.Tap tap() {
    return new KafkaRequests(this::see);
  }

  /** @param strike returns whether the request is forwarded */
  public void set(InstancePhase phase, BooleanSupplier strike) {
    set.set(new Set(phase, strike));
  }

  public boolean isSprung() {
    return set.get() == null;
  }

  private boolean see(KafkaRequests.Request request) {
    reserved.receive(request);
    var waiting = set.get();
    if (waiting != null && waiting.phase().isIn(request, reserved) && set.compareAndSet(waiting, null)) {
      return waiting.strike().getAsBoolean();
    }
    return true;
  }
}
