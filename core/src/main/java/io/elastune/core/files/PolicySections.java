package io.elastune.core.files;

import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Quantities;
import io.elastune.core.files.schema.Reading;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Notification;
import io.elastune.core.job.ProfilePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The sections {@code budget}, {@code profile} and {@code notify} of a job file. */
final class PolicySections {
  private static final List<String> EVENTS =
      List.of("started", "at_risk", "preempted", "warned", "finished", "cleanup_failed");
  private static final Duration SHORTEST = Duration.ofNanos(1);

  private static final Field<ProfilePolicy, String> PROFILE_FILE =
      Field.optional(
          "file",
          Texts.text(),
          "measured or reused",
          ProfilePolicy::file,
          "A profile file to use; relative to the job file.",
          "profile.yaml");

  static final Section<Budget> BUDGET = budget();
  static final Section<ProfilePolicy> PROFILE = profile();
  static final Section<Notification> NOTIFY = notification();

  private PolicySections() {}

  private static Section<Budget> budget() {
    Field<Budget, Double> usd =
        Field.required(
            "usd",
            Bounds.someUsd("USD"),
            Budget::usd,
            "Highest total cost, including profiling.",
            "45");
    Field<Budget, Double> warnAt =
        Field.withDefault(
            "warn_at",
            Quantities.share(false),
            0.8,
            Budget::warnAt,
            "Fraction of the budget at which a warning is sent.",
            "80%");
    Field<Budget, Budget.OnReach> onReach =
        Field.withDefault(
            "on_reach",
            Texts.word(Budget.OnReach.values(), Budget.OnReach::word),
            Budget.OnReach.STOP,
            Budget::onReach,
            "`stop` stops the run before it exceeds the budget; `finish-group` starts no new group.",
            "stop");
    return Section.of(
        "budget",
        "The budget of a run.",
        List.of(usd, warnAt, onReach),
        values -> new Budget(values.get(usd), values.get(warnAt), values.get(onReach)));
  }

  private static Section<ProfilePolicy> profile() {
    Field<ProfilePolicy, Duration> reuse =
        Field.withDefault(
            "reuse",
            Quantities.duration(Duration.ZERO),
            ProfilePolicy.DEFAULT.reuse(),
            ProfilePolicy::reuse,
            "Maximum age of a measured profile that is reused.",
            "14d");
    Field<ProfilePolicy, Double> maxUsd =
        Field.optional(
            "max_usd",
            Bounds.usd("USD"),
            "no limit of its own",
            policy -> Optionals.boxed(policy.maxUsd()),
            "Maximum cost of profiling.",
            "2");
    Field<ProfilePolicy, Duration> maxTime =
        Field.withDefault(
            "max_time",
            Quantities.duration(SHORTEST),
            Duration.ofMinutes(10),
            policy -> policy.maxTime().orElse(Duration.ofMinutes(10)),
            "Maximum time for profiling.",
            "10m");
    return Section.of(
        "profile",
        "How the profile is obtained.",
        List.of(PROFILE_FILE, reuse, maxUsd, maxTime),
        values ->
            new ProfilePolicy(
                values.find(PROFILE_FILE),
                values.get(reuse),
                Optionals.unboxed(values.find(maxUsd)),
                Optional.of(values.get(maxTime))));
  }

  private static Section<Notification> notification() {
    Field<Notification, String> webhook =
        Field.optional(
            "webhook",
            Texts.checked("URL", PolicySections::readAddress),
            "none",
            Notification::webhook,
            "Address to which a JSON message is posted.",
            "https://example.org/hook");
    Field<Notification, String> command =
        Field.optional(
            "command",
            Texts.text(),
            "none",
            Notification::command,
            "Shell command to run instead.",
            "notify-send elastune");
    Field<Notification, List<String>> on =
        Field.withDefault(
            "on",
            Lists.ofDistinct(Texts.oneOf(EVENTS)),
            EVENTS,
            Notification::on,
            "Names of the events.",
            "[at_risk, finished]");
    return Section.<Notification>of(
            "notify",
            "Notifications: a list of these.",
            List.of(webhook, command, on),
            values -> new Notification(values.find(webhook), values.find(command), values.get(on)))
        .checking(values -> checkOneOf(values, webhook, command));
  }

  private static void checkOneOf(Values values, Field<?, ?> one, Field<?, ?> other) {
    if (values.given(one) == values.given(other)) {
      values.problem("give either " + one.name() + " or " + other.name(), "");
    }
  }

  private static Reading<String> readAddress(String text) {
    return text.matches("https?://[^\\s/]\\S*")
        ? Reading.right(text)
        : Reading.wrong("must be a URL with http:// or https://, not \"" + text + "\"");
  }
}
