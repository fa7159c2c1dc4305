package io.tidemark.source;

import java.util.concurrent.CompletableFuture;

/** Hears when this instance becomes the owner of a source and when it ends. Called by the group's thread: must not block. */
public interface OwnershipListener {

  /** This instance is the owner from now on. The service may be called while the lease is held. */
  void onAssigned(Lease lease);

  /**
   * Another instance is to become the owner: polling stops, work in progress is finished or aborted.
   *
   * @return completes when nothing more will be written; the group waits for a bounded time
   */
  CompletableFuture<Void> onRevoked();

  /** Another instance may be the owner already: all work stops at once. */
  void onLost();
}
