/** The HTML report of a run: timeline, cost, learning curves, results and decisions. */
@NullMarked
package io.elastune.cli.page;

import org.jspecify.annotations.NullMarked;
