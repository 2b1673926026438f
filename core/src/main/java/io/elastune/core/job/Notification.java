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
    @FileField(doc = "Events.", example = "[at_risk, finished]") List<String> on) {
  public Notification {
    on = List.copyOf(on);
    Preconditions.that(
        webhook.isPresent() != command.isPresent(), "give either webhook or command, not both");
  }
}
