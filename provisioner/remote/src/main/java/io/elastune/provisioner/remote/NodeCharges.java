package io.elastune.provisioner.remote;

/**
 * What a node uses besides its instance type: its root disk and a public IPv4 address. No shipped
 * table has prices of disks by region, so both prices are list prices that hold in most regions of
 * AWS (gp3) and Google Cloud (pd-balanced).
 *
 * @param diskGb the size of the root disk in GB
 */
public record NodeCharges(int diskGb, boolean publicAddress) {
  /** The size of a root disk that no settings define, in GB. */
  public static final int DEFAULT_DISK_GB = 100;

  private static final double DISK_USD_PER_GB_MONTH = 0.10;
  private static final double HOURS_PER_MONTH = 730;
  private static final double ADDRESS_USD_PER_HOUR = 0.005;

  /** Returns the charges without settings. */
  public static NodeCharges withoutSettings(boolean publicAddress) {
    return new NodeCharges(DEFAULT_DISK_GB, publicAddress);
  }

  /** Returns USD per hour for the disk and, if the node has one, its address. */
  public double usdPerHour() {
    return diskGb * DISK_USD_PER_GB_MONTH / HOURS_PER_MONTH
        + (publicAddress ? ADDRESS_USD_PER_HOUR : 0);
  }
}
