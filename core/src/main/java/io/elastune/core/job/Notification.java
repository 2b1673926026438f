package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.List;
import java.util.Optional;

/** A webhook or command that is called on some events of a run. */
@FileSection(title = "notify", doc = "Notifications: a list of these.")
public record Notification(
    @FileField(
            doc = "Address to which a JSON message is posted.",
            without = "none",
            example = "https://example.org/hook")
        Optional<String> webhook,
    @FileField(
            doc = "Shell command to run instead.",
            without = "none",
            example = "notify-send elastune")
        Optional<String> command,
    @FileField(doc = "Events.", without = "all", example = "[at_risk, finished]") List<String> on) {
  /** All events. */
  public static final List<String> EVENTS =
      List.of(
          "started",
          "at_risk",
          "preempted",
          "warned",
          "cloud_health",
          "finished",
          "cleanup_failed");

  public Notification {
    on = on.isEmpty() ? EVENTS : List.copyOf(on);
    Preconditions.that(
        webhook.isPresent() != command.isPresent(), "give either webhook or command, not both");
  }
}
