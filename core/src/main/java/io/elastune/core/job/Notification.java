package io.elastune.core.job;

import io.elastune.core.Check;
import java.util.List;
import java.util.Optional;

/**
 * Whom to tell about what.
 *
 * @param webhook address to post to
 * @param command shell command to start
 * @param on event names
 */
public record Notification(Optional<String> webhook, Optional<String> command, List<String> on) {
  public Notification {
    on = List.copyOf(on);
    Check.that(
        webhook.isPresent() != command.isPresent(), "give either webhook or command, not both");
  }
}
