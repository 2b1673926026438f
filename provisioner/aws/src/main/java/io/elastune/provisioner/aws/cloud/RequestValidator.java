package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.remote.Location;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;

/** Validates a request before EC2 is called. */
final class RequestValidator {
  /** The tag names that instance metadata allows. They are parts of its addresses. */
  private static final Pattern TAG =
      Pattern.compile("(?!(\\.{1,2}|_index)$)[A-Za-z0-9+=.,_:@-]{1,128}");

  private static final int LONGEST_VALUE = 256;

  /** EC2 allows 50 tags, one of which Elastune adds. */
  private static final int MOST_TAGS = 49;

  /** In bytes. EC2 allows 16 KiB of user data; the script and its encoding need the rest. */
  private static final int LONGEST_SETUP = 6000;

  private RequestValidator() {}

  /** Returns the first problem as a sentence; empty if the request is valid. */
  static Optional<String> problem(LeaseRequest request, Collection<String> regions) {
    Optional<Location> location = Location.parse(Aws.PROVIDER, request.offer().infra());
    if (location.isEmpty()) {
      return Optional.of(request.offer().infra() + " is not an AWS region or zone");
    }
    if (!regions.contains(location.get().region())) {
      return Optional.of(
          "clouds.yaml has no region "
              + location.get().region()
              + ", only "
              + String.join(", ", regions));
    }
    return request.setup().flatMap(RequestValidator::problem).or(() -> tags(request));
  }

  private static Optional<String> problem(NodeSetup setup) {
    if (!setup.environment().isEmpty()) {
      return Optional.of(
          "setup on AWS does not support environment variables: they would be readable in the"
              + " instance's user data");
    }
    return setup.command().getBytes(StandardCharsets.UTF_8).length > LONGEST_SETUP
        ? Optional.of("setup is longer than " + LONGEST_SETUP + " bytes: put it in a script")
        : Optional.empty();
  }

  private static Optional<String> tags(LeaseRequest request) {
    if (request.tags().size() > MOST_TAGS) {
      return Optional.of("EC2 allows at most " + MOST_TAGS + " tags, including the labels");
    }
    return request.tags().entrySet().stream()
        .filter(
            tag ->
                !TAG.matcher(tag.getKey()).matches()
                    || tag.getKey().startsWith("aws:")
                    || tag.getValue().length() > LONGEST_VALUE)
        .findFirst()
        .map(
            tag ->
                "resources.labels: EC2 does not allow the tag "
                    + tag.getKey()
                    + " (letters, digits and + - = . , _ : @; values of at most 256 characters)");
  }
}
