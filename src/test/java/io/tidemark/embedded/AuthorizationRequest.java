package io.tidemark.embedded;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** What someone asked a broker for, and whether it was allowed. */
public record AuthorizationRequest(String user, ResourceType type, String name, AclOperation operation,
    boolean allowed) {}
