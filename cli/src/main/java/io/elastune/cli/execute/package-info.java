/**
 * Implements {@code run}, {@code resume} and {@code profile}: profile, plan, confirm, execute and
 * report.
 */
@NullMarked
package io.elastune.cli.execute;

import org.jspecify.annotations.NullMarked;
