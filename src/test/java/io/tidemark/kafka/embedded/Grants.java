package io.tidemark.kafka.embedded;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.ResourceNotFoundException;

/**
 * Adds ACLs and users, and waits until the broker applies them: the controller answers such a request before the broker
 * has read the change, so that a client that connects at once may still be refused.
 */
public final class Grants {

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private Grants() {}

  /** @param admin of a user who may alter and describe the cluster */
  public static void add(Admin admin, Collection<AclBinding> rights) {
    completed(admin.createAcls(rights).all());
    await("ACLs that the broker applies").atMost(TIMEOUT).until(
        () -> admin.describeAcls(AclBindingFilter.ANY).values().get(), applied -> applied.containsAll(rights));
  }

  public static void addUser(Admin admin, UserScramCredentialUpsertion user) {
    completed(admin.alterUserScramCredentials(List.of(user)).all());
    await("user that the broker knows").atMost(TIMEOUT)
        .ignoreExceptionsMatching(e -> e.getCause() instanceof ResourceNotFoundException)
        .until(() -> !admin.describeUserScramCredentials(List.of(user.user())).description(user.user()).get()
            .credentialInfos().isEmpty());
  }

  private static void completed(KafkaFuture<Void> future) {
    try {
      future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
