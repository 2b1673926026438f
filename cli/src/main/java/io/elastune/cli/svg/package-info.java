/** Charts in SVG. */
@NullMarked
package io.elastune.cli.svg;

import org.jspecify.annotations.NullMarked;
