package io.tidemark.embedded;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** Kafka's own authorizer. Records the requests that need a right. */
public final class RecordingAuthorizer extends StandardAuthorizer {

  /** Setting that holds where it is noted. */
  static final String NOTES = "tidemark.notes";

  private Collection<AuthorizationRequest> notes = List.of();

  @Override
  @SuppressWarnings("unchecked")
  public void configure(Map<String, ?> settings) {
    notes = (Collection<AuthorizationRequest>) Objects.requireNonNull(settings.get(NOTES));
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
