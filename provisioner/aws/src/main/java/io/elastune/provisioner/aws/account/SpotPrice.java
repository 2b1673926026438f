package io.elastune.provisioner.aws.account;

/** What an instance type costs on spot in a zone, at present. */
public record SpotPrice(String type, String zone, double usdPerHour) {}
