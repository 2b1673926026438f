/** The HTML report of a run: timeline, cost, learning curves, results and decisions. */
@NullMarked
package io.elastune.cli.html;

import org.jspecify.annotations.NullMarked;
