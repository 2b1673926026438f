package io.elastune.core.config;

import io.elastune.core.IntRange;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
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
          StringCodecs.text(),
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
            FileValueLimits.positiveUsd("USD"),
            Budget::usd,
            "Highest total cost, including profiling.",
            "45");
    Field<Budget, Double> warnAt =
        Field.withDefault(
            "warn_at",
            QuantityCodecs.fraction(false),
            0.8,
            Budget::warnAt,
            "Fraction of the budget at which a warning is sent.",
            "80%");
    Field<Budget, Budget.OnReach> onReach =
        Field.withDefault(
            "on_reach",
            StringCodecs.word(Budget.OnReach.values(), Budget.OnReach::word),
            Budget.OnReach.STOP,
            Budget::onReach,
            "`stop` stops the run before it exceeds the budget; `finish-group` starts no new"
                + " group.",
            "stop");
    return Section.of(
        "budget",
        "The budget of a run.",
        List.of(usd, warnAt, onReach),
        fieldValues ->
            new Budget(fieldValues.get(usd), fieldValues.get(warnAt), fieldValues.get(onReach)));
  }

  private static Section<ProfilePolicy> profile() {
    Field<ProfilePolicy, Duration> reuse =
        Field.withDefault(
            "reuse",
            QuantityCodecs.duration(Duration.ZERO),
            ProfilePolicy.DEFAULT.reuse(),
            ProfilePolicy::reuse,
            "Maximum age of a measured profile that is reused.",
            "14d");
    Field<ProfilePolicy, Double> maxUsd =
        Field.optional(
            "max_usd",
            FileValueLimits.usd("USD"),
            "no limit of its own",
            policy -> Optionals.boxed(policy.maxUsd()),
            "Maximum cost of profiling.",
            "2");
    Field<ProfilePolicy, Duration> maxTime =
        Field.withDefault(
            "max_time",
            QuantityCodecs.duration(SHORTEST),
            Duration.ofMinutes(10),
            policy -> policy.maxTime().orElse(Duration.ofMinutes(10)),
            "Maximum time for profiling.",
            "10m");
    Field<ProfilePolicy, IntRange> trialsPerGpu =
        Field.withDefault(
            "trials_per_gpu",
            QuantityCodecs.range(),
            ProfilePolicy.NOT_SHARED,
            ProfilePolicy::trialsPerGpu,
            "Trials that may share a GPU, if their memory fits: profiling also measures 2, 4 and"
                + " more.",
            "1..4");
    return Section.of(
        "profile",
        "How the profile is obtained.",
        List.of(PROFILE_FILE, reuse, maxUsd, maxTime, trialsPerGpu),
        fieldValues ->
            new ProfilePolicy(
                fieldValues.find(PROFILE_FILE),
                fieldValues.get(reuse),
                Optionals.unboxed(fieldValues.find(maxUsd)),
                Optional.of(fieldValues.get(maxTime)),
                fieldValues.get(trialsPerGpu)));
  }

  private static Section<Notification> notification() {
    Field<Notification, String> webhook =
        Field.optional(
            "webhook",
            StringCodecs.checked("URL", PolicySections::readAddress),
            "none",
            Notification::webhook,
            "Address to which a JSON message is posted.",
            "https://example.org/hook");
    Field<Notification, String> command =
        Field.optional(
            "command",
            StringCodecs.text(),
            "none",
            Notification::command,
            "Shell command to run instead.",
            "notify-send elastune");
    Field<Notification, List<String>> on =
        Field.withDefault(
            "on",
            ListCodecs.distinct(StringCodecs.oneOf(EVENTS)),
            EVENTS,
            Notification::on,
            "Events.",
            "[at_risk, finished]");
    return Section.<Notification>of(
            "notify",
            "Notifications: a list of these.",
            List.of(webhook, command, on),
            fieldValues ->
                new Notification(
                    fieldValues.find(webhook), fieldValues.find(command), fieldValues.get(on)))
        .withValidation(fieldValues -> checkOneOf(fieldValues, webhook, command));
  }

  private static void checkOneOf(FieldValues fieldValues, Field<?, ?> one, Field<?, ?> other) {
    if (fieldValues.isGiven(one) == fieldValues.isGiven(other)) {
      fieldValues.problem("give either " + one.name() + " or " + other.name(), "");
    }
  }

  private static ReadResult<String> readAddress(String text) {
    return text.matches("https?://[^\\s/]\\S*")
        ? ReadResult.valid(text)
        : ReadResult.invalid("must be a URL with http:// or https://, not \"" + text + "\"");
  }
}
