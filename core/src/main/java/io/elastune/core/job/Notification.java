package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.List;
import java.util.Optional;

/**
 * A webhook or command that is called on some events of a run.
 *
 * @param webhook URL to which the event is posted
 * @param command shell command to run
 * @param on names of the events
 */
public record Notification(Optional<String> webhook, Optional<String> command, List<String> on) {
  public Notification {
    on = List.copyOf(on);
    Preconditions.that(
        webhook.isPresent() != command.isPresent(), "give either webhook or command, not both");
  }
}
