package io.elastune.cli.notify;

import io.elastune.core.job.Notification;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Reports a scheduled start that was skipped to the targets of the job file. */
public final class ScheduleNotice {
  /** The event of the job file that requests these notifications. */
  private static final String EVENT = "warned";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private ScheduleNotice() {}

  /**
   * Sends a notification and waits some seconds for its delivery.
   *
   * @param secrets environment variables that are hidden from commands
   * @param spentUsd the cost of the schedule's runs in this month
   * @param undelivered receives a sentence if it was not delivered
   */
  public static void send(
      List<Notification> notifications,
      List<String> secrets,
      String schedule,
      String text,
      double spentUsd,
      Instant at,
      Consumer<String> undelivered) {
    for (Notification notification : notifications) {
      if (notification.on().contains(EVENT)) {
        try (Outbox outbox =
            new Outbox(NotificationTarget.of(notification, secrets), PAUSE, undelivered)) {
          outbox.post(new NotificationMessage(schedule, EVENT, text, spentUsd, at));
        }
      }
    }
  }
}
