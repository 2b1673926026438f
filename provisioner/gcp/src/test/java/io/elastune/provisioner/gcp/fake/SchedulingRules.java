package io.elastune.provisioner.gcp.fake;

import tools.jackson.databind.JsonNode;

/**
 * The combinations of provisioning model, run time and reservation that Compute Engine refuses,
 * according to its documentation. The texts of the errors are not Google's.
 */
final class SchedulingRules {
  private static final long SHORTEST_S = 30;
  private static final long LONGEST_S = 120L * 24 * 3600;
  private static final long LONGEST_FLEX_START_S = 7L * 24 * 3600;
  private static final String RESERVATION_NAME = "compute.googleapis.com/reservation-name";

  /** Types that are sold on spot and with flex-start, but not on demand. */
  private static final String SPOT_OR_FLEX = "a3-highgpu-[124]g";

  /** Types that are sold on demand only within a reservation. */
  private static final String RESERVED = "(a3-ultragpu|a4x?)-.+";

  private SchedulingRules() {}

  static void check(JsonNode body, String machine) {
    JsonNode scheduling = body.path("scheduling");
    String model = scheduling.path("provisioningModel").asString("STANDARD");
    String reservation = body.at("/reservationAffinity/consumeReservationType").asString("");
    checkRunTime(scheduling, model);
    checkReservation(body, reservation);
    if (model.equals("SPOT")) {
      refuseIf(
          scheduling.path("automaticRestart").asBoolean(true),
          "Scheduling must have preemptible be false when AutomaticRestart is true.");
    }
    if (model.equals("FLEX_START")) {
      refuseIf(!reservation.equals("NO_RESERVATION"), "FLEX_START instances need NO_RESERVATION.");
      refuseIf(
          scheduling.path("automaticRestart").asBoolean(true),
          "FLEX_START instances cannot restart automatically.");
    }
    boolean standard = model.equals("STANDARD");
    refuseIf(
        standard && machine.matches(SPOT_OR_FLEX),
        machine + " is not available with the provisioning model STANDARD.");
    refuseIf(
        standard && machine.matches(RESERVED) && !reservation.equals("SPECIFIC_RESERVATION"),
        machine + " needs a reservation with the provisioning model STANDARD.");
  }

  private static void checkRunTime(JsonNode scheduling, String model) {
    boolean limited = scheduling.has("maxRunDuration");
    refuseIf(
        limited && scheduling.has("terminationTime"),
        "Only one of maxRunDuration and terminationTime can be specified.");
    long seconds = scheduling.at("/maxRunDuration/seconds").asLong(0);
    refuseIf(
        limited && (seconds < SHORTEST_S || seconds > LONGEST_S),
        "maxRunDuration must be between 30 seconds and 120 days.");
    refuseIf(
        model.equals("FLEX_START") && (!limited || seconds > LONGEST_FLEX_START_S),
        "FLEX_START instances need a maxRunDuration of at most 7 days.");
    refuseIf(
        model.equals("STANDARD")
            && scheduling.has("instanceTerminationAction")
            && !limited
            && !scheduling.has("terminationTime"),
        "instanceTerminationAction needs a limited run time with the provisioning model STANDARD.");
  }

  private static void checkReservation(JsonNode body, String type) {
    JsonNode affinity = body.path("reservationAffinity");
    boolean named =
        affinity.path("key").asString("").equals(RESERVATION_NAME)
            && affinity.path("values").size() == 1;
    refuseIf(
        type.equals("SPECIFIC_RESERVATION") != named,
        "SPECIFIC_RESERVATION needs the key " + RESERVATION_NAME + " and one value.");
  }

  private static void refuseIf(boolean so, String message) {
    if (so) {
      throw new ApiError(400, "badRequest", message);
    }
  }
}
