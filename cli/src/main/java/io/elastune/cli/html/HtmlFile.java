package io.elastune.cli.html;

/**
 * A requested file with HTML.
 *
 * @param name the file, as the user gave it
 * @param fragment whether it is a part for other pages, without the frame of a page
 */
public record HtmlFile(String name, boolean fragment) {}
