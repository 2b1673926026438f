package io.elastune.cli.schedule;

import java.util.List;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job that a timer starts.
 *
 * @param name its name, unique in one home
 * @param job the absolute path of the job file
 * @param jobName the name of the job when the schedule was added
 * @param cron when it starts, in the time zone of this machine
 * @param monthlyUsd the highest cost of all its runs in one calendar month
 * @param options of {@code run}
 * @param timer "systemd" or "crontab"
 */
public record Schedule(
    String name,
    String job,
    String jobName,
    CronExpression cron,
    OptionalDouble monthlyUsd,
    List<String> options,
    String timer) {
  public Schedule {
    options = List.copyOf(options);
  }

  static Schedule of(JsonNode node) {
    return new Schedule(
        node.path("name").asString(),
        node.path("job").asString(),
        node.path("job_name").asString(),
        CronExpression.parse(node.path("cron").asString()),
        node.path("monthly_usd").isNumber()
            ? OptionalDouble.of(node.path("monthly_usd").asDouble())
            : OptionalDouble.empty(),
        node.path("options").valueStream().map(JsonNode::asString).toList(),
        node.path("timer").asString());
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("name", name).put("job", job).put("job_name", jobName).put("cron", cron.toString());
    monthlyUsd.ifPresentOrElse(
        usd -> node.put("monthly_usd", usd), () -> node.putNull("monthly_usd"));
    options.forEach(node.putArray("options")::add);
    return node.put("timer", timer);
  }
}
