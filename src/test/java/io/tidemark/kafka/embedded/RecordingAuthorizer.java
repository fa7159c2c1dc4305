package io.tidemark.kafka.embedded;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** Kafka's own authorizer. Records the requests that need a right. */
public final class RecordingAuthorizer extends StandardAuthorizer {

  /** Setting with the broker whose requests are noted, as the address of its clients: a broker's settings are text. */
  static final String BROKER = "tidemark.broker";

  private static final Map<String, Set<AuthorizationRequest>> NOTES = new ConcurrentHashMap<>();

  private Set<AuthorizationRequest> notes = Set.of();

  /** What a broker was asked so far. */
  static Set<AuthorizationRequest> requests(String broker) {
    return NOTES.computeIfAbsent(broker, key -> ConcurrentHashMap.newKeySet());
  }

  @Override
  public void configure(Map<String, ?> settings) {
    notes = requests((String) Objects.requireNonNull(settings.get(BROKER)));
    super.configure(settings);
  }

  /** What may be refused without harm (whether a topic or a transaction is to be shown) is not noted. */
  @Override
  public List<AuthorizationResult> authorize(AuthorizableRequestContext request, List<Action> actions) {
    var results = super.authorize(request, actions);
    for (var i = 0; i < results.size(); i++) {
      var action = actions.get(i);
      if (action.logIfDenied() && request.requestType() != ApiKeys.LIST_TRANSACTIONS.id) {
        notes.add(new AuthorizationRequest(request.principal().getName(), action.resourcePattern().resourceType(),
            action.resourcePattern().name(), action.operation(), results.get(i) == AuthorizationResult.ALLOWED));
      }
    }
    return results;
  }
}
