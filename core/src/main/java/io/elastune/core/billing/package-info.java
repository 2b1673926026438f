/**
 * Billing rules: the cost of a lease and hourly costs. All billing arithmetic is in this package.
 */
@NullMarked
package io.elastune.core.billing;

import org.jspecify.annotations.NullMarked;
