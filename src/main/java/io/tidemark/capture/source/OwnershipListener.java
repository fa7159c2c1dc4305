package io.tidemark.capture.source;

import java.util.concurrent.CompletableFuture;

/**
 * A listener for the beginning and the end of this instance's ownership of a source. It is called on the group's
 * thread and must not block.
 */
public interface OwnershipListener {

  /** Called when this instance becomes the owner. The service may be called while the lease is held. */
  void onAssigned(Lease lease);

  /**
   * Called when the group is about to make another instance the owner, or when this instance leaves the group.
   * Polling stops, and work in progress is finished or aborted.
   *
   * @return a future that completes when nothing more will be written; the group waits for this future for at most
   *     five seconds, and then calls {@link #onLost}
   */
  CompletableFuture<Void> onRevoked();

  /**
   * Called when another instance may already be the owner, or when a release took too long. All work stops
   * immediately.
   */
  void onLost();
}
