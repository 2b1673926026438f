package io.elastune.cli.account;

import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.provisioner.TaggedInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Formats instances with Elastune tags as a table and as JSON. */
final class OrphanScreen {
  private final List<TaggedInstance> instances;
  private final Instant now;

  OrphanScreen(List<TaggedInstance> instances, Instant now) {
    this.instances = instances;
    this.now = now;
  }

  List<String> lines() {
    if (instances.isEmpty()) {
      return List.of("No Elastune instances found.");
    }
    TextTable table =
        new TextTable()
            .left("instance")
            .left("where")
            .left("type")
            .left("run")
            .left("owner")
            .left("expiry")
            .right("price");
    for (TaggedInstance instance : instances) {
      table.row(
          instance.id(),
          instance.provider() + "/" + instance.region(),
          instance.instanceType(),
          instance.run(),
          instance.owner(),
          state(instance) + instance.expires().map(at -> " " + at).orElse(""),
          instance.usdPerHour().isPresent()
              ? UsdFormat.format(instance.usdPerHour().getAsDouble()) + "/h"
              : "?");
    }
    List<String> lines = new ArrayList<>(table.lines());
    long expired = instances.stream().filter(instance -> instance.isExpired(now)).count();
    lines.add(
        ("%d expired: no controller renews them; their dead-man timers should have shut them down;"
                + " %d unexpired")
            .formatted(expired, instances.size() - expired));
    return lines;
  }

  List<OrphanDocument> document() {
    return instances.stream()
        .map(
            instance ->
                new OrphanDocument(
                    instance.provider(),
                    instance.region(),
                    instance.id(),
                    instance.instanceType(),
                    instance.run(),
                    instance.owner(),
                    instance.expires(),
                    state(instance),
                    instance.usdPerHour()))
        .toList();
  }

  private String state(TaggedInstance instance) {
    return instance.isExpired(now) ? "expired" : "unexpired";
  }
}
