package io.elastune.provisioner.aws.fake;

import java.util.List;

/** EC2's limits for the parameters of one call. */
final class CallLimits {
  private static final int MOST_VALUES = 200;
  private static final int MOST_IDS = 1000;
  private static final int SMALLEST_PAGE = 5;
  private static final int LARGEST_PAGE = 1000;

  private CallLimits() {}

  /** Refuses a call that exceeds the limits of the real EC2. */
  static void check(Query query) {
    long values = query.filters().values().stream().mapToLong(List::size).sum();
    if (values > MOST_VALUES) {
      throw new ApiError(400, "FilterLimitExceeded", values + " values of filters are too many");
    }
    int ids = query.list("InstanceId").size() + query.list("ResourceId").size();
    if (ids > MOST_IDS) {
      throw new ApiError(400, "InvalidParameterValue", ids + " ids are too many");
    }
    int page = query.number("MaxResults", LARGEST_PAGE);
    if (page < SMALLEST_PAGE || page > LARGEST_PAGE) {
      throw new ApiError(400, "InvalidParameterValue", page + " is no size of a page");
    }
  }
}
