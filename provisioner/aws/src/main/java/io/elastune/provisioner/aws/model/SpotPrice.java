package io.elastune.provisioner.aws.model;

/** The current spot price of an instance type in a zone, in USD per hour. */
public record SpotPrice(String type, String zone, double usdPerHour) {}
