package io.elastune.cli.schedule;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

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
    @JsonPropertyDescription("Its name.") String name,
    @JsonPropertyDescription("The absolute path of the job file.") String job,
    @JsonPropertyDescription("The name of the job.") String jobName,
    @JsonPropertyDescription("When it starts.") CronExpression cron,
    @JsonPropertyDescription("Its monthly budget in USD, if it has one.") OptionalDouble monthlyUsd,
    @JsonPropertyDescription("The options of run.") List<String> options,
    @JsonPropertyDescription("\"systemd\" or \"crontab\".") String timer) {
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
}
