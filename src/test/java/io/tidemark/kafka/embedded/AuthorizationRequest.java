package io.tidemark.kafka.embedded;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** A request to a broker, and whether an ACL allowed it. */
public record AuthorizationRequest(String user, ResourceType type, String name, AclOperation operation,
    boolean allowed) {}
