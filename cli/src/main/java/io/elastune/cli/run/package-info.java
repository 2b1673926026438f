/**
 * Implements {@code run}, {@code resume} and {@code profile}: profile, plan, confirm, execute and
 * report.
 */
@NullMarked
package io.elastune.cli.run;

import org.jspecify.annotations.NullMarked;
