package io.elastune.provisioner.remote;

import io.elastune.provisioner.LeaseRequest;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of one cloud whose instances are listed together: the regions of AWS, the project of
 * Google Cloud. The methods do not block.
 */
public interface CloudParts {
  /** Returns the names of all parts. */
  Set<String> names();

  /** Returns the place of a part, e.g. {@code aws/us-east-1}. */
  String infra(String part);

  /** Returns the first problem of a request as a sentence; empty if it is valid. */
  Optional<String> problem(LeaseRequest request);

  /** Returns the part to which a valid request belongs. */
  String partOf(LeaseRequest request);

  /** Opens the calls to a part. */
  InstanceApi open(String part);

  /** Creates the limits of the calls to a part. */
  CallLimits limits();
}
