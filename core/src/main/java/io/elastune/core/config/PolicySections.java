package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Notification;
import io.elastune.core.job.ProfilePolicy;

/** The sections {@code budget}, {@code profile} and {@code notify} of a job file. */
final class PolicySections {
  static final Section<Budget> BUDGET =
      RecordSection.define(Budget.class).codec("warnAt", QuantityCodecs.fraction(false)).section();
  static final Section<ProfilePolicy> PROFILE =
      RecordSection.define(ProfilePolicy.class).defaults(ProfilePolicy.DEFAULT).section();
  private static final RecordSection<Notification> NOTIFICATION =
      RecordSection.define(Notification.class)
          .codec("webhook", StringCodecs.checked("URL", PolicySections::readAddress))
          .codec("on", ListCodecs.distinct(StringCodecs.oneOf(Notification.EVENTS)));
  private static final Field<Notification, String> WEBHOOK = NOTIFICATION.field("webhook");
  private static final Field<Notification, String> COMMAND = NOTIFICATION.field("command");
  static final Section<Notification> NOTIFY =
      NOTIFICATION.section(fieldValues -> checkOneOf(fieldValues, WEBHOOK, COMMAND));

  private PolicySections() {}

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
